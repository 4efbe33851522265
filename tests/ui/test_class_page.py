"""The learners' page with a class server behind it, on a phone: every screen, and a connection that comes and goes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.school.classroom.classroom import Classroom
from explorer.school.playlists.playlist import FilmQuestion
from tests.support.prepared_class import CLOSING, MASS, NOTE, film, prepared_class
from tests.ui.axe import assert_accessible
from tests.ui.class_room import PHONE, address, join, phone, sure, too_large, too_small, too_wide, until
from tests.ui.windows import Complaints

pytestmark = pytest.mark.browser

# What only the truth of a film says: a name is in the list that answers are chosen from, a note is nowhere else.
SECRET = (NOTE, CLOSING, "the simulator: exact", "outlines", "phantom-mini", "phantom://")

# Every answer that the page reads, as text.
LISTEN = """window.heard = [];
Response.prototype.json = async function () {
    const said = await this.text();
    heard.push(said);
    return JSON.parse(said);
};
"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A learner's phone, which complains of nothing."""
    with phone(chromium) as page:
        complaints = Complaints()
        complaints.listen(page)
        yield page
        assert complaints.heard == []


def test_a_class_from_joining_to_the_own_sheet(page: Page, lesson: Classroom) -> None:
    """All five kinds of question at the teacher's pace, and before each reveal nothing tells."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.add_init_script(LISTEN)
    join(page, lesson, "Ada")
    until(page, "waiting")
    assert_accessible(page)
    for place, answer in enumerate((named, pointed, normal, present, picked)):
        lesson.go(place)
        until(page, "question")
        expect(page.get_by_text(f"Film {place + 1} of 5")).to_be_visible()
        expect(page.get_by_text("SIMULATED", exact=True)).to_be_visible()
        assert too_large(page) == []
        assert_accessible(page)
        answer(page)
        assert too_large(page) == [] and too_small(page) == []
        sure(page)
        until(page, "answered")
        expect(page.get_by_text("1 of 1 have answered.")).to_be_visible()
        assert fits_film(page)
        before = "".join(asked) + page.evaluate("heard.join()") + page.content() + page.url
        assert '"kind"' in before
        assert [secret for secret in SECRET if secret in before] == []
        lesson.reveal()
        until(page, "reveal")
        expect(page.get_by_role("heading", name="Correct.", exact=True)).to_be_visible()
        expect(page.get_by_text(NOTE)).to_be_attached()
        assert too_wide(page) == [] and too_small(page) == []
        assert_accessible(page)
        page.evaluate("heard.length = 0; document.querySelector('.class-panel').replaceChildren()")  # it is known now
    lesson.end()
    until(page, "sheet")
    expect(page.get_by_role("heading", name="5 of 5 correct", exact=True)).to_be_visible()
    expect(page.get_by_text(CLOSING)).to_be_visible()
    expect(page.locator(".result-figures thead th")).to_have_text(["Finding", "you", "phantom"])
    expect(page.locator(".result-whole td").first).to_contain_text("5 of 5 films")
    assert too_wide(page) == [] and too_small(page) == []
    assert_accessible(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my sheet").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8-sig"))))
    assert [row["right"] for row in rows] == ["yes"] * 5
    page.reload()  # it can still be looked at
    until(page, "sheet")
    assert list(page.evaluate("JSON.parse(localStorage['tailscope-class']).answers")) == []


def fits_film(page: Page) -> bool:
    return bool(page.evaluate("document.scrollingElement.scrollHeight <= innerHeight"))


def named(page: Page) -> None:
    """By a synonym, by the keyboard, with a side."""
    for text in ("mass", "pleural fluid"):
        page.get_by_role("combobox").fill(text)
        page.keyboard.press("Enter")
    page.get_by_role("group", name="Side of Mass").get_by_role("radio", name="left").check()
    page.get_by_role("group", name="Side of Pleural Effusion").get_by_role("radio", name="right").check()


def pointed(page: Page) -> None:
    """Zoomed in, with a tap."""
    mask = prepared_class().films[1].truth.masks["Mass"]
    rows, columns = mask.nonzero()
    down, across = rows.mean() / mask.shape[0], columns.mean() / mask.shape[1]
    page.get_by_role("button", name="Zoom in").click()
    x, y = page.evaluate(
        """([across, down]) => {
            const film = document.querySelector(".class-canvas").getBoundingClientRect();
            return [film.x + across * film.width, film.y + down * film.height];
        }""",
        [float(across), float(down)],
    )
    page.touchscreen.tap(x, y)
    expect(page.locator(".class-point.own")).to_be_visible()


def normal(page: Page) -> None:
    page.get_by_role("radio", name="Normal", exact=True).check()


def present(page: Page) -> None:
    page.get_by_role("radio", name="Present").check()


def picked(page: Page) -> None:
    """Both films are seen, one after the other."""
    expect(page.locator(".class-stage:visible")).to_have_count(1)
    page.get_by_role("button", name="Second film").click()
    expect(page.get_by_role("button", name="Second film")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("radio", name="The second film").check()


def test_what_the_class_answered_is_counted_without_names(page: Page, lesson: Classroom) -> None:
    """Two others have answered, too: their marks, how sure they were, and how many are correct, with n."""
    join(page, lesson, "<b>Ada</b>")
    expect(page.get_by_text("You are in, <b>Ada</b>.")).to_be_visible()  # text, not markup
    lesson.go(1)
    session = lesson.session()
    assert session is not None
    for nickname, point in (("Mileva", [0.1, 0.9]), ("Emmy", None)):
        learner, _, kept = session.join(session.code, nickname)
        kept.result(timeout=10)
        session.answer(learner, 1, {"sure": 3, "point": point}).result(timeout=10)
    until(page, "question")
    pointed(page)
    sure(page, "a guess")
    expect(page.get_by_text("3 of 3 have answered.")).to_be_visible()
    assert "Mileva" not in page.content()
    lesson.reveal()
    until(page, "reveal")
    part = page.locator(".class-part").filter(has_text="The class: 3 answers")
    expect(part).to_contain_text("1 of 3 correct")
    expect(part.get_by_role("listitem")).to_have_text(["pointed2", "not there1"])
    expect(part).to_contain_text("1 a guess, 0 probable, 2 certain")
    expect(page.locator(".class-point:not(.own)")).to_have_count(2)
    expect(page.locator(".class-point.own")).to_have_count(1)
    assert "Mileva" not in page.content()


def test_at_the_own_pace_with_the_keyboard_alone(chromium: Browser, classroom: Classroom) -> None:
    """Point with the arrow keys; the reveal follows the answer; what was revealed can be seen again."""
    made = prepared_class().films
    classroom.begin(prepared_class((made[1], made[2])), own_pace=True)
    with phone(chromium, touch=False) as page:
        page.set_viewport_size({"width": 1024, "height": 768})
        page.goto(address(classroom))
        tab_to(page, "Nickname")
        page.keyboard.type("Marie")
        page.keyboard.press("Enter")
        until(page, "question")
        tab_to(page, "Film 1. Keys: ? lists them")
        for key in ("+", "i", "ArrowLeft", "ArrowUp"):
            page.keyboard.press(key)
        expect(page.get_by_text("Your mark: 50 % from the left, 49 % from the top.")).to_be_visible()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_contain_text("Zoom in")
        page.keyboard.press("Escape")
        tab_to(page, "a guess")
        page.keyboard.press("ArrowRight")
        tab_to(page, "Answer")
        page.keyboard.press("Enter")
        until(page, "reveal")
        expect(page.get_by_text("your mark is outside it")).to_be_visible()
        tab_to(page, "Map of Mass")
        page.keyboard.press("Enter")
        expect(page.locator(".class-heat")).to_be_visible()
        expect(page.locator(".class-map-strength").filter(has_text="reaches 8 %")).to_have_count(1)
        tab_to(page, "Next film")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Film 2 of 2")).to_be_visible()
        until(page, "question")
        normal(page)
        sure(page)
        until(page, "reveal")
        page.get_by_role("button", name="My sheet").click()
        until(page, "sheet")
        page.get_by_role("button", name="Film 1", exact=True).first.click()
        until(page, "reveal")
        classroom.end()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the focus is on what is called so."""
    where = """() => { const { activeElement: at } = document;
        return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent; }"""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(where) == name:
            return
    raise AssertionError(f"{name} was not reached")


@pytest.mark.parametrize("size", [PHONE, {"width": 390, "height": 664}, {"width": 1024, "height": 768}], ids=str)
def test_the_most_that_is_asked_fits_one_screen(chromium: Browser, classroom: Classroom, size: dict[str, int]) -> None:
    """Three findings named, all words as long as may be; 664 px are left of a phone's 844 where its bars are shown."""
    asked = film(FilmQuestion("findings", words="word " * 60), (MASS,), before="word " * 400)
    classroom.begin(prepared_class((asked,)), own_pace=True)
    with ExitStack() as ending:
        ending.callback(classroom.end)
        page = ending.enter_context(phone(chromium))
        page.set_viewport_size(size)  # type: ignore[arg-type]  # as Playwright takes it
        join(page, classroom, "Ada")
        until(page, "question")
        for text in ("mass", "effusion", "nodule"):
            page.get_by_role("combobox").fill(text)
            page.keyboard.press("Enter")
        assert too_large(page) == []
        assert_accessible(page)
