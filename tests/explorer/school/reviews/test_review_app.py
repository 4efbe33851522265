"""What a reader's device can reach of a review, and what it cannot."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.cohorts.images import Images
from explorer.school.classroom.class_settings import ClassSettings
from explorer.school.classroom.guard import SECURITY_HEADERS
from explorer.school.reviews.reader_page import reader_files
from explorer.school.reviews.review import ReviewRefusal
from explorer.school.reviews.review_database import ReviewDatabase
from explorer.school.reviews.serving import REVIEW_PORT, serve_review
from tests.explorer.school.classroom.served_class import Device
from tests.explorer.school.reviews.served_review import ServedRoom, sent_vote, served_review, voted
from tests.support.wording import Wording


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with served_review(tmp_path_factory.mktemp("review"), [("Nodule",), ("Mass",), ()]) as served:
        yield served


def test_a_reader_votes_on_one_film_after_another(tmp_path: Path) -> None:
    with served_review(tmp_path, [("Nodule",), ("Mass",), ()]) as room:
        device = room.device(0)
        me = device.ask("/me").json
        assert (me["films"], me["done"], me["next"], me["suggests"]) == (3, 0, 0, True)
        film = device.ask("/film/0").json
        assert film["simulated"] and film["vote"] is None and film["width"] > 100
        picture = device.ask("/picture/0")
        assert picture.headers["content-type"] == "image/webp" and picture.body[:4] == b"RIFF"
        assert device.ask("/film/1").status == 409  # films come one after another
        assert voted(device, 0).json["next"] == 1
        assert device.ask("/film/0").json["vote"]["verdict"] == "agree all"
        assert voted(device, 0, "disagree", certainty=2, note="hm").json["done"] == 1
        voted(device, 1)
        assert device.ask("/film/0").status == 409  # closed, so that a repeat cannot be set beside it
        assert voted(device, 0).status == 409
        elsewhere = room.device(0)  # unfinished work waits on any device
        assert elsewhere.ask("/me").json["next"] == 2
        assert voted(elsewhere, 2).json["done"] == 3
        assert elsewhere.ask("/film/3").status == 404
        assert [each.vote.verdict for each in room.database.votes()] == [
            "agree all",
            "disagree",
            "agree all",
            "agree all",
        ]


def test_a_vote_sent_twice_counts_once(tmp_path: Path) -> None:
    with served_review(tmp_path, [("Nodule",)]) as room:
        device, sent = room.device(1), sent_vote(0)
        assert [device.ask("/vote", sent).json["done"] for _ in range(3)] == [1, 1, 1]
        assert len(room.database.votes()) == 1


def test_readers_see_neither_one_another_nor_case_file_or_model(room: ServedRoom) -> None:
    first, second = room.device(0), room.device(1)
    voted(first, 0, "disagree", note="only mine")
    for path in ("/me", "/film/0", "/picture/0"):
        second.ask(path)
    heard = b"".join(said.body + json.dumps(said.headers).encode() for said in second.heard)
    # without its quotes, f1 stands in some pictures by chance
    names = ["only mine", '"f0"', '"f1"', "phantom", "a file", *room.database.codes]
    assert not [name for name in names if name.encode() in heard]
    assert second.ask("/film/0").json["vote"] is None


def test_nothing_is_answered_without_a_code(room: ServedRoom, wording: Wording) -> None:
    device = room.device()
    for path in ("/me", "/film/0", "/picture/0"):
        assert device.ask(path).status == 401
    assert voted(device, 0).status == 401
    wrong = device.ask("/enter", {"code": "WRONG"})
    assert wrong.status == 403 and not device.cookie
    wording(f"{wrong.json['title']}. {wrong.json['detail']}")
    device.cookie = "review=1"
    assert device.ask("/me").status == 401


def test_wrong_codes_are_slowed_and_the_right_one_lets_in(tmp_path: Path) -> None:
    with served_review(tmp_path, [()]) as room:
        guesses = [room.device().ask("/enter", {"code": f"{number:08d}"}).status for number in range(30)]
        assert set(guesses) == {403, 429} and guesses[0] == 403 and guesses[-1] == 429
        room.device(0)


def test_only_the_page_and_its_files_are_served(room: ServedRoom) -> None:
    device = room.device()
    files = reader_files()
    assert device.ask("/").body == files["review/review.html"]
    for name in files:
        if not name.endswith(".html"):
            assert device.ask(f"/{name}").body == files[name]
    for path in ("/review/review.html", "/../app.py", "/static/../../pyproject.toml", "/join", "/gradio_api/info"):
        assert device.ask(path).status == 404
    assert device.ask("/vote").status == 405


def test_other_hosts_and_sites_are_not_answered(room: ServedRoom) -> None:
    device = room.device(0)
    assert device.ask("/me", headers={"Host": "evil.example"}).status == 421
    assert device.ask("/vote", sent_vote(0), headers={"Origin": "http://evil.example"}).status == 403
    headers = device.ask("/me").headers
    assert all(headers[name.decode()] == value.decode() for name, value in SECURITY_HEADERS)
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "sent",
    [
        {"film": "0", "verdict": "agree all", "id": "0" * 16},
        {"film": 0, "verdict": "agree all", "id": "short"},
        {"film": 0, "verdict": "agree all"},
        {"film": 0, "verdict": "agree all", "id": "0" * 16, "added": ["Mass"]},
        {"film": 0, "verdict": "own findings", "id": "0" * 16},
    ],
)
def test_what_is_no_vote_is_refused(room: ServedRoom, sent: dict[str, object]) -> None:
    before = len(room.database.votes())
    assert room.device(2).ask("/vote", sent).status == 400
    assert len(room.database.votes()) == before


def test_a_taken_port_is_refused(room: ServedRoom, tmp_path: Path, wording: Wording) -> None:
    settings = ClassSettings(on=True, port=room.port, bind="127.0.0.1")
    with pytest.raises(ReviewRefusal) as caught:
        serve_review(room.database, Images(), settings, tmp_path)
    wording(str(caught.value).replace(str(room.port), "PORT"), "--port")
    assert REVIEW_PORT not in (7860, 7861)


def test_only_a_review_on_the_network_is_said_to_be_open_to_listeners(tmp_path: Path, wording: Wording) -> None:
    with served_review(tmp_path, [()]):
        for bind in ("127.0.0.1", "::1", "0.0.0.0"):
            database = ReviewDatabase(tmp_path / "small.sqlite")
            served = serve_review(database, Images(), ClassSettings(on=True, port=0, bind=bind), tmp_path)
            served.close()
            wording(served.warning)


def test_a_self_signed_review_is_encrypted(tmp_path: Path, wording: Wording) -> None:
    with served_review(tmp_path, [()]) as room:
        settings = ClassSettings(on=True, port=0, bind="127.0.0.1", tls="self-signed")
        database = ReviewDatabase(tmp_path / "small.sqlite")
        served = serve_review(database, Images(), settings, tmp_path)
        try:
            assert served.urls[0].startswith("https://127.0.0.1:")
            port = int(served.urls[0].rstrip("/").rpartition(":")[2])
            device = Device(port, ssl.create_default_context(cafile=str(tmp_path / "class.crt")))
            entered = device.ask("/enter", {"code": room.database.codes[0]})
            assert entered.status == 200 and "Secure" in entered.headers["set-cookie"]
            assert voted(device, 0).json["done"] == 1
        finally:
            served.close()
        assert len(room.database.votes()) == 1  # another process's vote is there
    wording(re.sub(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", "FINGERPRINT", served.warning), "FINGERPRINT")
