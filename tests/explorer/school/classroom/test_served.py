"""The class as learners' devices meet it: a real server on 127.0.0.1, joined, driven, answered and revealed."""

from __future__ import annotations

import csv
import io
import threading
import time
from collections.abc import Iterator

import pytest

from explorer.school.classroom import classroom
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.playlists.playlist import FilmQuestion
from tests.explorer.school.classroom.served_class import SECRETS, Device, ServedClass, goiter, prepared, served_class
from tests.support.wording import Wording

JSON = "application/json"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedClass]:
    """One server for the file; each test begins a class of its own."""
    with served_class(tmp_path_factory.mktemp("class")) as room:
        yield room


@pytest.fixture
def room(served: ServedClass) -> Iterator[ServedClass]:
    yield served
    served.classroom.close()


def refusal(device: Device, path: str, sent: object = None) -> tuple[int, str]:
    said = device.ask(path, sent)
    assert said.status >= 400 and set(said.json) == {"title", "detail"}
    assert all(said.json.values())
    return said.status, said.json["title"]


def test_the_page_and_its_modules_are_served_and_nothing_else(room: ServedClass) -> None:
    device = room.device()
    page, module = device.ask("/"), device.ask("/class/learner.js")
    assert page.body.startswith(b"<!doctype html>") and page.headers["content-type"] == "text/html; charset=utf-8"
    assert module.headers["content-type"] == "text/javascript; charset=utf-8"
    assert device.ask("/", headers={"If-None-Match": page.headers["etag"]}).status == 304
    for path in ("/config", "/gradio_api/info", "/gradio_api/upload", "/theme.css", "/tailscope/plotly.js", "/docs"):
        assert refusal(device, path) == (404, "There is nothing here")
    for path in ("/class/../class/learner.js", "/class/", "/class/%2e%2e/settings.py", "//", "/film/", "/film/1/2"):
        assert device.ask(path).status == 404
    assert device.ask("/gradio_api/upload", {}).status == 404
    assert device.ask("/me", {}).status == 405
    assert device.ask("/join").status == 405


def test_nobody_joins_before_a_class_is_begun(room: ServedClass) -> None:
    assert refusal(room.device(), "/join", {"code": "CDFGHJ", "nickname": "Ann"})[0] == 403
    assert refusal(room.device(), "/state")[0] == 401
    for step in (room.classroom.reveal, room.classroom.end, lambda: room.classroom.go(0)):
        with pytest.raises(ClassRefusal, match="No class is running"):
            step()


def test_two_learners_at_the_teachers_pace(room: ServedClass, wording: Wording) -> None:
    room.classroom.begin(prepared())
    ann, ben = room.device(), room.device()
    joined = ann.join(room.code.lower(), "  Ann \t <b> ")
    me = {"nickname": "Ann <b>", "title": "A lesson", "about": "About it", "films": 2, "own_pace": False}
    assert (joined.status, joined.json) == (200, me) and ann.ask("/me").json == me
    cookie = joined.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "secure" not in cookie
    assert ann.join(room.code, "Another").json == me  # a device is one learner
    assert refusal(ben, "/join", {"code": room.code, "nickname": "ANN <B>"}) == (409, "ANN <B> is taken")
    assert ben.join(f"{room.code[:3]}-{room.code[3:]}", "Ben").status == 200
    assert ann.ask("/findings").json == {"Goiter": ["struma"], "Mass": []}

    state = ann.ask("/state").json
    assert (state["stage"], state["open"], state["answered"], state["learners"]) == ("waiting", [], [False, False], 2)
    status, words = refusal(ann, "/film/0")
    assert status == 403
    wording(words, "not open")
    room.classroom.go(0)
    shown = ann.ask("/film/0").json
    wording(shown["words"])
    assert shown == {
        "film": 0,
        "kind": "findings",
        "finding": None,
        "words": shown["words"],
        "before": "A cough.",
        "pictures": ["/picture/0/0"],
        "width": 64,
        "height": 48,
        "simulated": True,
        "places": None,
        "answer": None,
        "again": None,
    }
    picture = ann.ask("/picture/0/0")
    assert (picture.headers["content-type"], picture.body) == ("image/webp", b"RIFF picture 0")
    assert picture.headers["cache-control"] == "no-store"
    for path in ("/film/1", "/picture/1/0", "/reveal/0", "/film/9"):
        assert refusal(ann, path)[0] == 403
    for path in ("/picture/0/1", "/film/x", "/film/-1", "/film/" + "9" * 5000):
        assert refusal(ann, path)[0] == 404

    assert ann.answer(0, goiter()).json == {"kept": True}
    assert ann.answer(0, goiter()).json == {"kept": True}
    status, words = refusal(ann, "/answer", {"film": 0, "answer": goiter(3)})
    assert status == 409
    wording(words, "answered")
    assert refusal(ann, "/answer", {"film": 1, "answer": {"sure": 1, "normal": True}})[0] == 403
    status, words = refusal(ben, "/answer", {"film": 0, "answer": {"findings": {}}})
    assert status == 400
    wording(words, "how sure")
    assert ben.answer(0, {"sure": 1, "findings": {}}).status == 200
    board = room.classroom.board()
    assert board["learners"] == [{"nickname": "Ann <b>", "answered": 1}, {"nickname": "Ben", "answered": 1}]
    assert (board["answered"], board["at_each_film"]) == (2, [2, 0])
    assert board["tally"] is not None and board["tally"]["right"] is None

    room.classroom.reveal()
    assert room.classroom.board()["tally"]["right"]["hits"] == 1  # type: ignore[index]
    revealed = ben.ask("/reveal/0").json
    assert revealed["reveal"]["present"] == [{"finding": "Goiter", "side": "left"}]
    assert revealed["judged"] == {
        "right": False,
        "sides": {},
        "inside": None,
        "credit": 0.0,
        "outcomes": {"Goiter": "miss", "Kyphosis": "correct rejection"},
    }
    assert (revealed["tally"]["n"], revealed["tally"]["right"]["n"]) == (2, 2)
    assert ann.ask("/film/0").json["answer"] == goiter()
    late = room.device("Late")
    assert refusal(late, "/answer", {"film": 0, "answer": goiter()}) == (409, "This film is revealed")
    assert late.ask("/reveal/0").json["judged"] is None
    assert ann.answer(0, goiter()).json == {"kept": True}  # a device that did not hear it asks again

    room.classroom.go(1)
    assert ann.ask("/state").json["stage"] == "open"
    room.classroom.go(0)
    back = ann.ask("/state").json
    assert (back["stage"], back["film"], back["open"], back["revealed"]) == ("revealed", 0, [0, 1], [0])
    sheet = ben.ask("/sheet").json
    row = {"film": 0, "question": shown["words"], "answer": "no finding", "sure": "a guess", "truth": "Goiter (left)"}
    assert sheet["rows"] == [{**row, "right": False}]
    assert (sheet["again"], sheet["right"]["hits"], sheet["right"]["n"]) == ([0], 0, 1)
    you, *_ = sheet["table"]["readers"]
    assert (you["name"], you["right"]["hits"], you["right"]["n"]) == ("you", 0, 1)
    (line,) = csv.DictReader(io.StringIO(ben.ask("/sheet.csv").body.decode()))
    assert line == {**row, "film": "1", "right": "no"}

    room.classroom.end()
    assert (ann.ask("/state").json["stage"], ann.ask("/state").json["closing"]) == ("ended", "The closing words")
    assert refusal(ann, "/answer", {"film": 1, "answer": {"sure": 1, "normal": True}}) == (409, "The class has ended")
    assert refusal(room.device(), "/join", {"code": room.code or "X", "nickname": "Cy"})[0] == 403
    assert ann.ask("/sheet").json["rows"]


def test_at_the_own_pace_the_reveal_follows_the_own_answer(room: ServedClass, wording: Wording) -> None:
    room.classroom.begin(prepared(), own_pace=True)
    ann, ben = room.device("Ann"), room.device("Ben")
    state = ann.ask("/state").json
    assert (state["stage"], state["film"], state["open"], state["own_pace"]) == ("open", 0, [0], True)
    status, words = refusal(ann, "/film/1")
    assert status == 403
    wording(words, "not open")
    ann.answer(0, goiter())
    assert ann.ask("/reveal/0").json["judged"]["right"] is True
    assert refusal(ben, "/reveal/0")[0] == 403
    state = ann.ask("/state").json
    assert (state["film"], state["open"], state["revealed"], state["closing"]) == (1, [0, 1], [0], "")
    assert ben.ask("/state").json["open"] == [0]
    ann.answer(1, {"sure": 3, "normal": True})
    done = ann.ask("/state").json
    assert (done["closing"], done["answered"], done["revealed"]) == ("The closing words", [True, True], [0, 1])
    room.classroom.reveal()  # of the film on the teacher's screen, to everybody
    assert refusal(ben, "/answer", {"film": 0, "answer": goiter()}) == (409, "This film is revealed")
    assert (ben.ask("/state").json["open"], ben.ask("/state").json["stage"]) == ([0, 1], "open")


def test_nobody_is_sent_anothers_answers(room: ServedClass) -> None:
    room.classroom.begin(prepared())
    room.classroom.go(0)
    ann, ben = room.device("ANN-HERSELF"), room.device("Ben")
    ann.answer(0, {"sure": 3, "findings": {"Mass": "right"}})
    ben.ask("/answer", {"film": 0, "answer": goiter(), "learner": 0, "nickname": "ANN-HERSELF"})
    for cookie in ("class=0", "class=", "class=ANN-HERSELF", f"class={ann.cookie[6:-1]}", "other=1"):
        assert Device(room.port, cookie=cookie).ask("/film/0").status == 401
    for path in ("/film/0", "/film/0?learner=0", "/state", "/me", "/sheet", "/reveal/0"):
        ben.ask(path)
    assert ben.ask("/film/0").json["answer"] == goiter()  # as the device that sent it: Ben
    assert ann.ask("/film/0").json["answer"] == {"sure": 3, "findings": {"Mass": "right"}}
    room.classroom.reveal()
    ben.ask("/reveal/0")
    board = room.classroom.board()
    assert not [said for said in ben.heard if b"ANN-HERSELF" in said.body]
    assert [set(each) for each in board["learners"]] == [{"nickname", "answered"}] * 2
    assert board["tally"] is not None and "ANN-HERSELF" not in str(board["tally"])


def test_a_session_ends_with_its_class(room: ServedClass, monkeypatch: pytest.MonkeyPatch) -> None:
    room.classroom.begin(prepared())
    ann = room.device("Ann")
    room.classroom.end()
    assert ann.ask("/state").json["stage"] == "ended"
    with monkeypatch.context() as later:
        later.setattr(classroom, "REVIEW_TIME_S", 0.0)
        for path in ("/state", "/me", "/film/0", "/sheet"):
            assert refusal(ann, path)[0] == 401
    room.classroom.begin(prepared())
    assert refusal(ann, "/me")[0] == 401


@pytest.mark.parametrize("own_pace", [False, True], ids=["teacher's pace", "own pace"])
def test_nothing_of_the_truth_is_sent_before_the_reveal(room: ServedClass, own_pace: bool) -> None:
    questions = [FilmQuestion("findings"), FilmQuestion("normal"), FilmQuestion("pair", "Mass")]
    playlist = prepared(*questions, pair=1)
    del playlist.findings["Goiter"]  # of the names that an answer may have the true ones are some
    room.classroom.begin(playlist, own_pace=own_pace)
    ann, ben = room.device("Ann"), room.device("Ben")
    if not own_pace:
        room.classroom.go(2)
    answers = [{"sure": 1, "findings": {"Mass": ""}}, {"sure": 1, "normal": False}, {"sure": 2, "picked": 1}]
    for film, answer in enumerate(answers):
        for path in ("/state", "/me", "/findings", "/sheet", "/sheet.csv"):
            ben.ask(path)
        for path in (
            f"/film/{film}",
            f"/picture/{film}/0",
            f"/picture/{film}/1",
            f"/reveal/{film}",
            f"/reveal/{film}/",
        ):
            ben.ask(path)
        if not own_pace:
            ben.answer(film, answer)
        ann.answer(film, answer)
    board = str(room.classroom.board())
    for said in (*ben.heard, *(ann.heard if not own_pace else ())):
        text = said.body.decode() + str(said.headers)
        assert not [secret for secret in SECRETS if secret in text]
    assert not [secret for secret in SECRETS if secret in board]
    if not own_pace:
        room.classroom.reveal()
    told = ann.ask("/reveal/2").body.decode()
    assert all(secret in told for secret in ("Goiter", "Kyphosis", "the secret note", "0.8125"))
    assert "#explore?secret" not in told and "phantom://" not in told


@pytest.mark.slow
def test_a_device_that_waits_hears_of_every_step_at_once(room: ServedClass) -> None:
    room.classroom.begin(prepared())
    ann = room.device("Ann")
    version = ann.ask("/state").json["version"]

    def heard(step: object) -> tuple[dict, float]:
        timer = threading.Timer(0.3, step)  # type: ignore[arg-type]
        timer.start()
        begun = time.monotonic()
        said = ann.ask(f"/state?since={version}").json
        timer.join()
        return said, time.monotonic() - begun

    other = Device(room.port, cookie=ann.cookie)
    steps = (lambda: room.classroom.go(0), lambda: other.answer(0, goiter()), room.classroom.reveal, room.classroom.end)
    for step, stage in zip(steps, ("open", "open", "revealed", "ended"), strict=True):
        said, seconds = heard(step)
        assert said["stage"] == stage and said["version"] != version
        assert 0.2 < seconds < 5
        version = said["version"]


def test_more_tabs_than_three_do_not_wait(room: ServedClass) -> None:
    room.classroom.begin(prepared())
    ann = room.device("Ann")
    version = ann.ask("/state").json["version"]
    answered: list[float] = []

    def wait() -> None:
        Device(room.port, cookie=ann.cookie).ask(f"/state?since={version}")
        answered.append(time.monotonic())

    tabs = [threading.Thread(target=wait) for _ in range(4)]
    for tab in tabs:
        tab.start()
    deadline = time.monotonic() + 10
    while not answered and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(answered) == 1  # the oldest gave way
    room.classroom.go(0)
    for tab in tabs:
        tab.join(timeout=10)
    assert len(answered) == 4
