"""Who holds a place in a class: how fast places are taken, given up, cleared; the door; a learner who is removed."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator

import pytest

from explorer.school.classroom import rate_limits as admission
from explorer.school.classroom.join_code import CODE_LENGTH
from explorer.school.classroom.learners import MAX_LEARNERS, SILENT_AFTER_S, Learner
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.session import Session, removed_name
from explorer.school.playlists.playlist import FilmQuestion
from tests.explorer.school.classroom.served_class import Device, ServedClass, goiter, prepared, served_class
from tests.support.wording import Wording


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedClass]:
    """One server for the file; a device says in a header from which address it comes."""
    patched = pytest.MonkeyPatch()
    patched.setattr(admission, "sender_address", lambda request: request.headers.get("x-test-address", "192.168.0.1"))
    with served_class(tmp_path_factory.mktemp("class")) as room:
        yield room
    patched.undo()


@pytest.fixture
def room(served: ServedClass) -> Iterator[ServedClass]:
    served.classroom.begin(prepared())
    served.classroom.go(0)
    yield served
    served.classroom.close()


def session_of(room: ServedClass) -> Session:
    session = room.classroom.session()
    assert session is not None
    return session


def nicknames(room: ServedClass) -> list[str]:
    return [each["nickname"] for each in room.classroom.board()["learners"]]


def on_disk(room: ServedClass) -> list[tuple[str, int]]:
    """Nicknames, and how many answers of each are kept."""
    file = room.kept / f"{room.classroom.board()['id']}.sqlite"
    question = "SELECT nickname, count(film) FROM learners LEFT JOIN answers USING (learner) GROUP BY learner"
    database = sqlite3.connect(file)
    try:
        return database.execute(question).fetchall()
    finally:
        database.close()


def refused(device: Device, path: str, sent: object = None) -> tuple[int, str]:
    said = device.ask(path, sent)
    assert said.json["detail"]
    return said.status, said.json["title"]


def test_so_many_join_from_one_address_at_once(limited_room: ServedClass) -> None:
    def join(nickname: str, code: str, place: str) -> int:
        sent = {"code": code, "nickname": nickname}
        return Device(limited_room.port).ask("/join", sent, headers={"x-test-address": place}).status

    at_once = int(admission.JOIN_LIMIT[0])
    wrong = "C" * CODE_LENGTH if limited_room.code != "C" * CODE_LENGTH else "D" * CODE_LENGTH
    assert [join("Eve", wrong, "10.0.0.1") for _ in range(10)] == [403] * 10  # without the code nobody uses it up
    joined = [join(f"Learner {number}", limited_room.code, "10.0.0.1") for number in range(at_once + 20)]
    assert joined[:at_once] == [200] * at_once
    assert joined[-1] == 429
    assert join("Ann", limited_room.code, "10.0.0.2") == 200


def test_in_a_full_class_who_never_answered_and_is_silent_gives_up_the_place(
    room: ServedClass, wording: Wording
) -> None:
    session = session_of(room)
    silent, answered = room.device("Silent"), room.device("Answered")
    answered.answer(0, goiter())
    others = [session.join(room.code, f"Learner {number}")[0] for number in range(MAX_LEARNERS - 2)]
    assert room.classroom.board()["full"]
    said = room.device().join(room.code, "Late")
    assert (said.status, said.json["title"]) == (403, "The class is full")

    def ago(nickname: str, seconds: float) -> Learner:
        learner = session.learners.named(nickname)
        learner.last_request = time.monotonic() - seconds
        return learner

    ago("Answered", 9 * SILENT_AFTER_S)
    ago("Learner 0", SILENT_AFTER_S + 1)
    ago("Silent", SILENT_AFTER_S + 2)
    assert room.device().join(room.code, "answered").status == 409
    assert "Silent" in nicknames(room), "who is refused takes nobody's place"
    late = room.device("Late")
    assert "Silent" not in nicknames(room) and len(nicknames(room)) == MAX_LEARNERS
    status, words = refused(silent, "/state")
    assert status == 401
    wording(words, "someone else")
    assert room.device("Later").cookie and others[0] not in session.learners
    assert room.device().join(room.code, "Last").status == 403, "the others are heard of, or have answered"
    assert answered.ask("/me").status == late.ask("/me").status == 200
    assert "Silent" not in dict(on_disk(room))
    session.remove("Learner 1", keep=False, again=False).result(timeout=10)
    assert silent.join(room.code, "Silent").status == 200, "with the code the device may come again"


def test_the_teacher_clears_the_places_of_who_never_answered(room: ServedClass) -> None:
    ann, ben = room.device("Ann"), room.device("Ben")
    for number in range(20):
        session_of(room).join(room.code, f"Script {number}")
    ann.answer(0, goiter())
    room.classroom.clear()
    assert nicknames(room) == ["Ann"] and on_disk(room) == [("Ann", 1)]
    assert refused(ben, "/me") == (401, "Your place was cleared")
    assert ben.join(room.code, "Ben").status == 200


def test_with_the_door_closed_nobody_joins(room: ServedClass, wording: Wording) -> None:
    ann = room.device("Ann")
    room.classroom.let_in(False)
    assert not room.classroom.board()["lets_in"]
    status, words = refused(room.device(), "/join", {"code": room.code, "nickname": "Ben"})
    assert status == 403
    wording(words, "closed")
    assert ann.ask("/me").status == 200
    room.classroom.let_in(True)
    assert room.device("Ben").cookie


def test_a_learner_who_is_removed_is_told_and_does_not_come_in_again(room: ServedClass) -> None:
    rude, ann = room.device("Rude-Word"), room.device("Ann")
    rude.answer(0, {"sure": 1, "findings": {"Mass": ""}})
    ann.answer(0, goiter())
    version = rude.ask("/state").json["version"]
    remove = threading.Timer(0.3, lambda: room.classroom.remove("rude-word", keep=False, again=False))
    remove.start()
    begun = time.monotonic()
    gone = (403, "The teacher has removed you from the class")
    assert refused(rude, f"/state?since={version}") == gone, "what waits for news is answered"
    assert time.monotonic() - begun < 5
    remove.join()
    code = room.code
    for path, sent in (("/me", None), ("/sheet", None), ("/join", {"code": code, "nickname": "Polite"})):
        assert refused(rude, path, sent) == gone
    assert refused(rude, "/answer", {"film": 0, "answer": goiter()}) == gone
    board = room.classroom.board()
    assert (nicknames(room), board["removed"], board["answered"], board["asked"]) == (["Ann"], 0, 1, 1)
    assert on_disk(room) == [("Ann", 1)]
    with pytest.raises(ClassRefusal, match="no such learner"):
        room.classroom.remove("Rude-Word", keep=False, again=False)
    room.classroom.end()
    kept = b"".join(file.read_bytes() for file in room.kept.glob(f"{board['id']}*"))
    assert b"Ann" in kept and b"Rude-Word" not in kept, "nor in a corner of the file"


def test_answers_of_one_who_is_removed_stay_without_the_nickname(room: ServedClass, wording: Wording) -> None:
    twice, ann, _ = room.device("Twice"), room.device("Ann"), room.device("Ben")
    twice.answer(0, goiter())
    ann.answer(0, {"sure": 1, "findings": {}})
    room.classroom.remove("Twice", keep=True, again=True)
    status, words = refused(twice, "/me")
    assert status == 401
    wording(words, "removed")
    board = room.classroom.board()
    assert (nicknames(room), board["removed"]) == (["Ann", "Ben"], 1)
    assert (board["answered"], board["asked"], board["at_each_film"]) == (2, 3, [2, 0])
    assert dict(on_disk(room)) == {removed_name(1): 1, "Ann": 1, "Ben": 0}
    assert twice.join(room.code, "Twice").status == 200, "the nickname is free again, for the same device, too"
    room.classroom.reveal()
    told = ann.ask("/reveal/0").json["tally"]
    assert (told["n"], told["right"]["hits"]) == (2, 1)
    assert twice.ask("/film/0").json["answer"] is None
    room.classroom.go(1)
    board = room.classroom.board()
    assert (board["answered"], board["asked"]) == (0, 3), "who was removed is not waited for"


def test_nothing_on_the_teachers_screen_can_be_copied(room: ServedClass) -> None:
    room.classroom.close()
    room.classroom.begin(prepared(FilmQuestion("findings"), FilmQuestion("point", "Goiter"), FilmQuestion("normal")))
    ann, ben = room.device("Ann"), room.device("Ben")
    answers = [{"findings": {"Mass": ""}}, {"point": [0.25, 0.5]}, {"normal": True}]
    for film, answer in enumerate(answers):
        room.classroom.go(film)
        ann.answer(film, {"sure": 3, **answer})
        tally = room.classroom.board()["tally"]
        assert tally is not None
        assert (tally["n"], tally["choices"], tally["points"], tally["right"]) == (1, [], [], None)
        state = ben.ask("/state").json
        assert state["committed"] == 1 and "Mass" not in str(state) and "0.25" not in str(state)
        ben.answer(film, {"sure": 1, **answer})
        tally = room.classroom.board()["tally"]
        assert tally is not None and tally["choices"], "nobody is left who could copy"
        assert (tally["points"], tally["right"]) == ([], None)
        room.classroom.reveal()
        tally = room.classroom.board()["tally"]
        assert tally is not None and tally["right"] is not None
        assert len(tally["points"]) == (2 if film == 1 else 0)
