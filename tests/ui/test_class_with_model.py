"""A class in which learners see a model's answer: on a phone, and on the teacher's page, where it is off at first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.classroom.classroom import Classroom
from explorer.school.playlists.playlist_files import PlaylistFiles, SavedPlaylist
from explorer.school.preparing.prepared import ModelCall, PreparedPlaylist
from explorer.ui.teach.class_calls import TeacherCalls
from tests.support.prepared_class import prepared_class
from tests.ui.axe import assert_accessible
from tests.ui.class_desk import teacher
from tests.ui.class_room import class_room, join, phone, sure, too_large, too_small, too_wide, until
from tests.ui.windows import Complaints

pytestmark = pytest.mark.browser

CALLS = {"net": {"Pleural Effusion": ModelCall(0.81, True), "Mass": ModelCall(0.62, True)}}


def with_calls() -> PreparedPlaylist:
    """The question whether an effusion is present, and one for findings; a model answers both."""
    made = prepared_class()
    films = tuple(replace(made.films[place], calls=CALLS) for place in (3, 0))
    return prepared_class(films, "With a model")


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    with class_room(tmp_path_factory.mktemp("class")) as running:
        yield running


@pytest.fixture
def page(chromium: Browser, classroom: Classroom) -> Iterator[Page]:
    with phone(chromium) as page:
        complaints = Complaints()
        complaints.listen(page)
        yield page
        assert complaints.heard == []
    if classroom.runs:
        classroom.end()


def test_a_learner_answers_sees_the_model_and_answers_again(page: Page, classroom: Classroom) -> None:
    classroom.begin(with_calls(), with_model=True)
    join(page, classroom, "Ada")
    until(page, "waiting")
    classroom.go(0)
    until(page, "question")
    assert "net" not in page.content()
    page.get_by_role("radio", name="Absent").check()
    sure(page, "a guess")
    until(page, "second")
    expect(page.get_by_text("Your answer: absent, a guess")).to_be_visible()
    expect(page.get_by_text("net: Pleural Effusion flagged, score 0.81")).to_be_visible()
    expect(page.get_by_text("The model can be wrong.")).to_be_visible()
    assert too_wide(page) == too_small(page) == []
    assert_accessible(page)
    page.get_by_role("button", name="Answer again").click()
    page.get_by_role("radio", name="Present").check()
    page.get_by_role("radio", name="certain").check()
    assert too_large(page) == []
    page.get_by_role("button", name="Answer again").click()
    until(page, "answered")
    expect(page.get_by_text("With the model: present, certain")).to_be_visible()
    expect(page.get_by_text("Your answer has arrived.")).to_be_visible()
    page.reload()
    until(page, "answered")
    classroom.reveal()
    until(page, "reveal")
    expect(page.get_by_role("heading", name="Not correct.")).to_be_visible()
    expect(page.get_by_role("heading", name="With the model")).to_be_visible()
    expect(page.locator(".class-part", has_text="With the model")).to_contain_text("Correct.")


def test_at_the_own_pace_an_answer_is_kept_and_the_next_film_follows(page: Page, classroom: Classroom) -> None:
    classroom.begin(with_calls(), own_pace=True, with_model=True)
    join(page, classroom, "Ben")
    until(page, "question")
    page.get_by_role("radio", name="Present").check()
    sure(page)
    until(page, "second")
    page.reload()
    until(page, "second")
    page.get_by_role("button", name="Keep my answer").click()
    until(page, "reveal")
    page.get_by_role("button", name="Next film").click()
    until(page, "question")
    page.get_by_role("button", name="No finding").click()
    sure(page)
    until(page, "second")
    expect(page.get_by_text("Pleural Effusion flagged, score 0.81; Mass flagged, score 0.62")).to_be_visible()


def test_the_teacher_chooses_it_and_sees_what_it_changed(
    chromium: Browser, classroom: Classroom, tmp_path: Path
) -> None:
    playlists = PlaylistFiles(lambda: tmp_path)
    playlists.add(with_calls().playlist)

    def ready(_: SavedPlaylist) -> PreparedPlaylist:
        return with_calls()

    with teacher(chromium, TeacherCalls(classroom, playlists, ready)) as page:
        another = page.get_by_role("button", name="Begin another class")
        begins = page.get_by_role("button", name="Begin class")
        expect(begins.or_(another)).to_be_visible()
        if another.is_visible():
            another.click()
        choice = page.get_by_label("Show a model's answer, then ask again")
        expect(choice).not_to_be_checked()
        choice.check()
        begins.click()
        expect(page.locator(".class-stage")).to_have_text("Learners can join")
        session = classroom.session()
        assert session is not None
        learners = [session.join(session.code, name)[0] for name in ("Ada", "Ben")]
        classroom.go(0)
        for learner in learners:
            session.answer(learner, 0, {"sure": 1, "present": learner is learners[0]}).result(timeout=10)
        session.answer(learners[1], 0, {"sure": 2, "present": True}, second=True).result(timeout=10)
        expect(page.get_by_text("1 answered again with the model.")).to_be_visible()
        session.answer(learners[0], 0, {"sure": 2, "present": False}, second=True).result(timeout=10)
        classroom.reveal()
        expect(page.get_by_text("With the model: 1 of 2 correct.")).to_be_visible()
        classroom.end()
        table = page.get_by_role("table", name="What seeing the model changed")
        cells = table.get_by_role("row", name="model right").get_by_role("cell")
        expect(cells).to_contain_text(["1 of 2, 50 %", "1 of 2, 50 %", "1 of 1, 100 %", "1 of 1, 100 %"])
        assert_accessible(page)
