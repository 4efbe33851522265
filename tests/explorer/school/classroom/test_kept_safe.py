"""What strangers on the network meet: other hosts, other sites, wrong codes, floods, bodies and heads without end."""

from __future__ import annotations

import gc
import logging
import socket
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterator

import pytest
from starlette.requests import Request

from explorer.school.classroom import http_protocol, sent_json
from explorer.school.classroom import rate_limits as admission
from explorer.school.classroom.guard import SECURITY_HEADERS
from explorer.school.classroom.join_code import CODE_LENGTH
from explorer.school.classroom.learners import MAX_LEARNERS
from explorer.school.classroom.nickname import read_nickname
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.playlists.playlist import FilmQuestion
from tests.explorer.school.classroom.served_class import Device, ServedClass, goiter, prepared, served_class


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedClass]:
    """One server for the file, which is called room-4.local, too; each test begins a class of its own."""
    patched = pytest.MonkeyPatch()
    patched.setattr(http_protocol, "HEAD_TIMEOUT_S", 0.4)
    patched.setattr(sent_json, "BODY_TIMEOUT_S", 0.4)
    with served_class(tmp_path_factory.mktemp("class"), hosts=("room-4.local",)) as room:
        yield room
    patched.undo()


@pytest.fixture
def room(served: ServedClass) -> Iterator[ServedClass]:
    served.classroom.begin(prepared(*[FilmQuestion("findings")] * 15))
    served.classroom.go(14)
    yield served
    served.classroom.close()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{}", "", "127.0.0.1.evil.example", "10.1.2.3", "room-5.local", "[::1]"]
)
def test_other_hosts_are_not_answered(room: ServedClass, host: str) -> None:
    said = room.device().ask("/", headers={"Host": host.format(room.port)})
    assert (said.status, set(said.json)) == (421, {"title", "detail"})


def test_names_that_were_given_are_answered(room: ServedClass) -> None:
    for host in ("127.0.0.1", f"127.0.0.1:{room.port}", "LOCALHOST", "room-4.local", f"Room-4.local:{room.port}"):
        assert room.device().ask("/", headers={"Host": host}).status == 200


def test_pages_of_other_sites_are_not_answered(room: ServedClass) -> None:
    own = f"http://127.0.0.1:{room.port}"
    sent = {"code": room.code, "nickname": "Ann"}
    for origin in ("http://evil.example", "null", own + "1", own.replace("http", "https"), "http://localhost:7860"):
        assert room.device().ask("/join", sent, headers={"Origin": origin}).status == 403
    assert room.device().ask("/state", headers={"Sec-Fetch-Site": "cross-site"}).status == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert room.device().ask("/", headers=link).status == 200
    assert room.device().ask("/join", sent, headers={"Origin": own, "Sec-Fetch-Site": "same-origin"}).status == 200


def test_every_answer_has_the_headers(room: ServedClass) -> None:
    device = room.device()
    answers = [device.ask(path) for path in ("/", "/class/learner.js", "/state", "/nothing")]
    answers += [device.ask("/", headers={"Host": "evil.example"}), device.ask("/join", {})]
    for said in answers:
        for name, value in SECURITY_HEADERS:
            assert said.headers[name.decode()] == value.decode()
        assert "server" not in said.headers and not [name for name in said.headers if name.startswith("access-control")]
    policy = answers[0].headers["content-security-policy"]
    assert "script-src 'self';" in policy and "unsafe" not in policy and "default-src 'none'" in policy
    assert device.ask("/me").headers["cache-control"] == "no-store"


def test_what_is_no_small_json_is_refused(room: ServedClass) -> None:
    device = room.device("Ann")
    refused = [
        (b"{", {}, 400),
        (b"[1]", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"[" * 5000, {}, 400),
        (b'{"a": "' + b"x" * sent_json.MAX_BODY_BYTES + b'"}', {}, 413),
        (b"{}", {"Content-Type": "text/plain"}, 415),
        (b"code=1", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ]
    for raw, headers, status in refused:
        said = device.ask("/answer", method="POST", raw=raw, headers=headers)
        assert (said.status, set(said.json)) == (status, {"title", "detail"})
    device = room.device("Ben")  # as many answers as are taken at once
    for film in (None, "0", 1.0, True, -1, 15, 10**30):
        assert device.answer(film, goiter()).status in (400, 403)
    for answer in (None, {"sure": True, "findings": {}}, {"sure": 2, "findings": {"x" * 500: ""}}):
        assert device.answer(0, answer).status == 400
    device = room.device("Cy")
    wrong = {"Half a \ud800": "has no name", "Unlisted": "is not in the list", "<b>": "is not in the list"}
    for name, why in wrong.items():
        said = device.answer(0, {"sure": 2, "findings": {name: ""}})
        assert (said.status, said.json["title"]) == (400, f"A finding {why}")
    assert device.join(room.code, "\ud800").status == 200  # it is Cy
    assert room.device().join(room.code, "\ud800").status == 400
    assert device.answer(0, goiter()).status == 200


def test_a_head_or_a_body_that_does_not_come_ends_the_connection(room: ServedClass) -> None:
    def ended_after(sent: bytes) -> tuple[bytes, float]:
        with socket.create_connection(("127.0.0.1", room.port), timeout=5) as connection:
            connection.sendall(sent)
            begun = time.monotonic()
            try:
                got = connection.recv(65536)
            except ConnectionResetError:
                got = b""
            return got, time.monotonic() - begun

    for sent in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "):
        got, seconds = ended_after(sent)
        assert not got and seconds < 3
    head = b"POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
    got, seconds = ended_after(head + b"{")
    assert got.startswith(b"HTTP/1.1 408") and seconds < 3
    got, _ = ended_after(b"GET /" + b"x" * 100_000 + b" HTTP/1.1\r\n\r\n")
    assert not got or got.startswith(b"HTTP/1.1 400")


def test_wrong_codes_are_slowed_and_the_right_one_lets_in(limited_room: ServedClass) -> None:
    guesser, other = limited_room.device(), {"x-test-address": "192.168.0.2"}
    wrong = "C" * CODE_LENGTH if limited_room.code != "C" * CODE_LENGTH else "D" * CODE_LENGTH
    at_once = int(admission.WRONG_CODE_LIMIT[0])
    assert [guesser.join(wrong, "Eve").status for _ in range(at_once)] == [403] * at_once
    assert guesser.join(wrong, "Eve").status == 429
    sent = {"code": wrong, "nickname": "Ann"}
    assert limited_room.device().ask("/join", sent, headers=other).status == 403
    assert guesser.join(wrong, "Eve").status == 429
    assert limited_room.device().join(limited_room.code, "Ben").status == 200  # who shares the guesser's address


def test_an_address_of_ipv6_stands_for_its_network() -> None:
    def key(host: str) -> str:
        return admission.sender_address(Request({"type": "http", "client": (host, 5), "headers": []}))

    assert key("2001:db8:1:2::5") == key("2001:db8:1:2:ffff::9") != key("2001:db8:1:3::5")
    assert len({key(f"192.168.0.{last}") for last in range(9)} | {key("::ffff:192.168.0.77")}) == 10
    assert key("fe80::1%eth0") == key("fe80::2%eth0")


def test_a_learner_who_asks_too_fast_is_slowed_down_and_nobody_else(limited_room: ServedClass) -> None:
    ann, ben = limited_room.device("Ann"), limited_room.device("Ben")
    statuses = [ann.answer(film, goiter()).status for film in range(15)]
    allowed = int(admission.ANSWER_LIMIT[0])
    assert statuses[:allowed] == [200] * allowed and set(statuses[allowed:]) == {429}
    asked = [ann.ask("/me").status for _ in range(int(admission.REQUEST_LIMIT[0]))]
    assert asked[0] == 200 and asked[-1] == 429
    assert ben.ask("/me").status == 200


def test_a_class_is_full_at_two_hundred(room: ServedClass) -> None:
    session = room.classroom.session()
    assert session is not None
    for number in range(MAX_LEARNERS):
        session.join(room.code, f"Learner {number}")
    said = room.device().join(room.code, "One more")
    assert (said.status, said.json["title"]) == (403, "The class is full")


def test_nicknames_that_look_alike_are_one(room: ServedClass) -> None:
    assert read_nickname("  A\u00a0 b\tc ") == "A b c"
    room.device("Zo\u00eb")
    for alike in ("zo\u00eb", "ZOE\u0308", " Zoe\u0308 ", "\uff3ao\u00eb"):
        said = room.device().join(room.code, alike)
        assert (said.status, said.json["title"].endswith(" is taken")) == (409, True)
    room.device("Zoe")
    room.device("Alice 01")
    for alike in ("\u0410li\u0441e 01", "AIice 01", "Alice Ol", "Alice\u034f 01", "Al\u0456ce 0l", "Alice\ufe0f 01"):
        assert room.device().join(room.code, alike).status == 409, alike
    room.device("Alice 02")


NO_NICKNAMES = [None, 3, "", "   ", "x" * 25, "a\u0000b", "a\u202eb", "a\u200bb", "\ue000", "\u3164", "x" * 10_000]


@pytest.mark.parametrize("sent", NO_NICKNAMES)
def test_what_is_no_nickname_is_refused(sent: object) -> None:
    with pytest.raises(ClassRefusal, match="nickname"):
        read_nickname(sent)


def test_nothing_of_a_learner_is_kept_but_nickname_and_answers(
    room: ServedClass, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    device = Device(room.port)
    agent = {"User-Agent": "AGENT-OF-ANN", "Accept-Language": "LANGUAGE-OF-ANN", "X-Forwarded-For": "203.0.113.7"}
    device.ask("/join", {"code": room.code, "nickname": "ANN-HERSELF"}, headers=agent)
    device.ask("/answer", {"film": 0, "answer": goiter()}, headers=agent)
    token = device.cookie.partition("=")[2]
    assert len(token) > 40
    code = room.code
    room.classroom.end()
    kept = b"".join(file.read_bytes() for file in room.kept.iterdir())
    assert b"ANN-HERSELF" in kept
    secrets = ("AGENT-OF-ANN", "LANGUAGE-OF-ANN", "203.0.113.7", "127.0.0.1", token, code)
    written = kept.decode("latin-1") + caplog.text + "".join(capfd.readouterr())
    assert not [each for each in secrets if each in written]
    assert "ANN-HERSELF" not in caplog.text


def test_tokens_are_not_in_memory_as_they_are(room: ServedClass) -> None:
    device = room.device("Ann")
    assert device.answer(0, goiter()).status == 200
    token = device.cookie.partition("=")[2]
    gc.collect()
    everything = gc.get_objects()
    held = [each for each in everything if type(each) in (dict, OrderedDict, defaultdict, set) and token in each]
    for each in everything:
        values = each.values() if type(each) is dict else each if type(each) in (list, tuple) else ()
        held += [each for value in values if type(value) is str and value is not token and value == token]
    assert held == []


def test_what_lies_on_disk_is_for_its_owner_alone(room: ServedClass) -> None:
    room.device("Ann")
    assert (room.kept.stat().st_mode & 0o777, len(list(room.kept.glob("*.sqlite-wal")))) == (0o700, 1)
    assert {file.stat().st_mode & 0o777 for file in room.kept.iterdir()} == {0o600}
