"""What a review's server refuses of a device: too much, too often, too late, in another's name, or without TLS."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from explorer.cohorts.images import Images
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.sent_json import MAX_BODY_BYTES
from explorer.school.classroom.tls import certificate_fingerprint, write_self_signed
from explorer.school.reviews import desk as desk_module
from explorer.school.reviews import review_app
from explorer.school.reviews.desk import NotEntered, ReviewDesk
from explorer.school.reviews.review import MAX_NOTE
from explorer.school.reviews.review_database import ReviewDatabase
from explorer.school.reviews.serving import serve_review
from tests.explorer.school.classroom.served_class import Device
from tests.explorer.school.reviews.served_review import ServedRoom, sent_vote, served_review, voted


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with served_review(tmp_path_factory.mktemp("review"), [("Nodule",), ()]) as served:
        yield served


def test_a_reader_is_slowed_and_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits are by reader: two devices with one code share them, and another reader on the same network does not.

    No request is regained while the test runs, however slow the machine is.
    """
    burst = 12
    monkeypatch.setattr(review_app, "REQUEST_LIMIT", (burst, 1e-6))
    with served_review(tmp_path, [("Nodule",)]) as room:
        one, again, other = room.device(0), room.device(0), room.device(1)
        answers = [(one if number % 2 else again).ask("/me") for number in range(2 * burst)]
        assert [said.status for said in answers] == [200] * burst + [429] * burst
        assert set(answers[-1].json) == {"title", "detail"} and voted(one, 0).status == 429
        assert other.ask("/me").status == 200
        assert voted(other, 0).status == 200


@pytest.mark.parametrize("path", ["/enter", "/vote"])
def test_a_body_that_is_too_large_is_refused_and_changes_nothing(room: ServedRoom, path: str) -> None:
    device, before = room.device(2), len(room.database.votes())
    sent = sent_vote(0) | {"code": "AAAA2", "padding": "x" * MAX_BODY_BYTES}
    said = device.ask(path, sent)
    assert said.status == 413 and f"{MAX_BODY_BYTES:,} bytes" in said.json["detail"]
    assert len(room.database.votes()) == before
    largest = sent_vote(0, note="x" * MAX_NOTE)
    assert len(json.dumps(largest)) < MAX_BODY_BYTES and device.ask("/vote", largest).status == 200


@pytest.mark.parametrize(
    ("raw", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 5_000, "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"film=0", "application/x-www-form-urlencoded", 415),
        (b"{}", "text/plain", 415),
    ],
)
def test_what_is_not_a_json_object_is_refused(room: ServedRoom, raw: bytes, kind: str, status: int) -> None:
    device = room.device(1)
    for path in ("/enter", "/vote"):
        said = device.ask(path, raw=raw, method="POST", headers={"Content-Type": kind})
        assert said.status == status and set(said.json) == {"title", "detail"}


def test_a_head_that_is_too_large_is_not_read(room: ServedRoom) -> None:
    with closing(socket.create_connection(("127.0.0.1", room.port), timeout=30)) as connection:
        connection.sendall(b"GET /me HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\n")
        try:
            answer = connection.recv(100)
        except ConnectionResetError:
            answer = b""
    assert b" 200 " not in answer
    assert room.device(0).ask("/me").status == 200


def test_only_a_token_that_was_given_opens_a_readers_work(room: ServedRoom) -> None:
    mine = room.device(0)
    token = mine.cookie.removeprefix("review=")
    assert len(token) >= 40 and mine.ask("/me").status == 200
    shorter, other_case = token[:-1], token.swapcase()
    for wrong in ("", "0", "AAAA0", room.database.codes[0], shorter, other_case, token + "x", "\u00e9", "x" * 4000):
        device = Device(room.port, cookie=f"review={wrong}".encode("latin-1", "replace").decode("latin-1"))
        for path in ("/me", "/film/0", "/picture/0"):
            assert device.ask(path).status == 401, wrong
        assert voted(device, 0).status == 401
    assert Device(room.port, cookie=f"class={token}").ask("/me").status == 401
    assert Device(room.port, cookie=f"other=1; review={token}").ask("/me").status == 200


def test_a_token_is_of_one_reader_and_ends_with_the_server(tmp_path: Path) -> None:
    with served_review(tmp_path, [("Nodule",)]) as room:
        first, second = room.device(0), room.device(1)
        voted(first, 0)
        assert (first.ask("/me").json["done"], second.ask("/me").json["done"]) == (1, 0)
        told = second.ask("/vote", sent_vote(0) | {"reader": 0, "code": room.database.codes[0]})
        assert told.status == 200 and [each.reading.reader for each in room.database.votes()] == [0, 1]
        cookie = first.cookie
        served = serve_review(
            ReviewDatabase(tmp_path / "small.sqlite"), Images(), ClassSettings(True, 0, "127.0.0.1"), tmp_path
        )
        try:
            port = int(served.urls[0].rstrip("/").rpartition(":")[2])
            assert Device(port, cookie=cookie).ask("/me").status == 401, "tokens are only in memory"
        finally:
            served.close()


def test_the_oldest_of_too_many_devices_enters_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "MAX_DEVICES", 3)
    with served_review(tmp_path, [()]) as room:
        desk = ReviewDesk(room.database, Images())
        tokens = [desk.enter(room.database.codes[0]) for _ in range(4)]
        with pytest.raises(NotEntered):
            desk.reader(tokens[0])
        assert [desk.reader(token) for token in tokens[1:]] == [0, 0, 0]


def test_a_pair_that_was_given_encrypts_and_nothing_else_is_answered(tmp_path: Path) -> None:
    certificate, key = write_self_signed(tmp_path, ("127.0.0.1",))
    with served_review(tmp_path, [("Nodule",)]) as room:
        settings = ClassSettings(True, 0, "127.0.0.1", tls_cert=certificate, tls_key=key)
        served = serve_review(ReviewDatabase(tmp_path / "small.sqlite"), Images(), settings, tmp_path)
        try:
            port = int(served.urls[0].rstrip("/").rpartition(":")[2])
            assert served.urls[0].startswith("https://") and certificate_fingerprint(certificate) in served.warning
            trusting = ssl.create_default_context(cafile=str(certificate))
            device = Device(port, trusting)
            entered = device.ask("/enter", {"code": room.database.codes[0]})
            assert entered.status == 200 and "; secure" in entered.headers["set-cookie"].lower()
            assert entered.headers["cross-origin-opener-policy"] == "same-origin"
            foreign = device.ask("/vote", sent_vote(0), headers={"Origin": f"http://127.0.0.1:{port}"})
            assert foreign.status == 403 and not room.database.votes()
            with pytest.raises(ssl.SSLCertVerificationError):
                Device(port, ssl.create_default_context()).ask("/")
            with pytest.raises(OSError, match="."):
                Device(port).ask("/")
            old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            old.load_verify_locations(certificate)
            with pytest.warns(DeprecationWarning):
                old.maximum_version = ssl.TLSVersion.TLSv1_1
            with pytest.raises(ssl.SSLError):
                Device(port, old).ask("/")
        finally:
            served.close()
