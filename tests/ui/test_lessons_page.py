"""A visitor steps through a lesson: in the app itself, with phantom models of random weights."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.explore_room import Answers
from tests.ui.held import HeldAnswers
from tests.ui.simulate_room import SLOW, choose, close_lesson, wait_until_simulated
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
WIDTHS = (1440, 1024, 390)
FIGURE = re.compile(r"\d?\.\d\d \[\d?\.\d\d\N{EN DASH}\d?\.\d\d\]|\d+ %; by chance")
MARK_IS_IN_WORDS = r"""() => {
    const [value] = document.querySelector(".number-marked")?.innerText.match(/\.\d\d/) ?? [];
    return value && document.querySelector(".lesson-words").innerText.includes(value);
}"""
HIDDEN = ".simulating[data-hidden=true][data-state=shown]"


@pytest.fixture
def page(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    """Simulate, where the last test left the window if it may stay; no lesson is open before it or after it."""
    with windows(chromium).window(1440, 900, Kind(), stays=True) as page:
        page.set_default_timeout(SLOW)
        go(page, f"{phantom_server.url}/#simulate")
        wait_until_simulated(page)
        yield page
        close_lesson(page)


@pytest.fixture(scope="module")
def narrow(chromium: Browser) -> Iterator[Page]:
    """A window of 390 px, in which the first link to a lesson loads the page and the others are followed there."""
    with windows(chromium).window(390, 844, Kind()) as page:
        page.set_default_timeout(SLOW)
        yield page


def begin(page: Page, title: str) -> None:
    page.locator(".lessons-head").click()
    page.get_by_role("link", name=title).click()
    expect(page.locator(".lesson-place")).to_have_text(re.compile("^1 of"), timeout=SLOW)
    page.locator(HIDDEN).wait_for()


def answer(page: Page, said: str = "present") -> None:
    choose(page, said)
    choose(page, "certain")
    page.locator(".lesson .answer-commit").click()
    expect(page.locator(".lesson-question")).to_have_count(0)
    wait_until_simulated(page)


def test_the_film_before_is_gone_and_nothing_can_be_answered_until_the_next_one_stands(page: Page) -> None:
    begin(page, "The heat map that misleads")
    answer(page)
    held = HeldAnswers(page, "simulated_hidden")
    page.locator(".lesson-next").click()
    held.wait()
    expect(page.locator(".lesson-question")).to_have_text("Is there Alveolar Pattern?")
    expect(page.locator("#simulate .stage").first).not_to_be_visible()
    for choice in page.locator(".lesson .answer-form input").all():
        expect(choice).to_be_disabled()
    held.arrive()
    page.locator(HIDDEN).wait_for()
    expect(page.locator("#simulate .stage").first).to_be_visible()
    answer(page, "absent")


def test_a_lesson_does_not_keep_the_row_of_the_model_that_was_looked_at_before(page: Page) -> None:
    rows = page.locator("#simulate .sim-row")
    page.locator("#simulate .sim-second summary").click()
    rows.last.click()
    expect(rows.last).to_have_attribute("aria-pressed", "true")
    begin(page, "The heat map that misleads")
    answer(page)
    expect(page.locator("#simulate .sim-row")).to_have_count(2, timeout=SLOW)
    expect(page.locator("#simulate .sim-row").first).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#simulate .sim-row").last).to_have_attribute("aria-pressed", "false")


def tab(page: Page) -> str:
    return page.locator("#tabs > .tab-wrapper [role=tab][aria-selected=true]").inner_text()


def test_a_lesson_asks_reveals_marks_the_number_and_closes_with_a_tally(page: Page) -> None:
    answers = Answers(page)
    begin(page, "Why accuracy misleads on the tail")
    bar = page.locator(".lesson")
    expect(bar).to_contain_text("110,633")
    expect(page.locator(".lesson-question")).to_have_text("Is there Hydropneumothorax?")
    assert re.search(r"#simulate\?sealed=[\w-]+$", page.url)
    before = dict(answers.said)["lesson"]
    assert "missed" not in before and "it is there" not in before.lower()  # notes come with the answer
    hidden_at = page.url
    answer(page)
    expect(page.locator(".lesson-words")).to_have_text(re.compile("^Correct. .*Hydropneumothorax"))
    expect(page.locator(".lesson-words")).to_contain_text("missed it")
    expect(page.locator("#simulate .mask-line")).to_have_count(4)
    page.locator(".lesson-link").click()
    mark = page.locator(".number-marked")
    expect(mark).to_have_count(1)
    expect(mark).to_be_in_viewport()
    assert tab(page) == "Explore"
    (shown,) = FIGURE.findall(mark.inner_text().replace("\n", " "))
    assert shown in page.locator(".lesson-words").inner_text()
    page.go_back()
    page.locator(".lesson-next").click()
    expect(page.locator(".lesson-place")).to_have_text("2 of 4")
    page.locator(HIDDEN).wait_for()
    assert page.url != hidden_at and "sealed=" in page.url
    page.locator(".lesson-reveal").click()  # without an answer
    expect(page.locator(".lesson-words")).to_have_text(re.compile("^It is absent"))
    for _ in range(3):
        page.locator(".lesson-next").click()
    expect(page.locator(".lesson-place")).to_have_text("Closing")
    expect(page.locator(".lesson-words")).to_have_text(re.compile(r"^You: 1 of 1 correct\. Acc"))
    expect(page.locator(".lesson-next")).to_be_disabled()
    page.locator(".lesson-close").click()
    expect(bar).to_be_hidden()
    expect(page.locator(".number-marked")).to_have_count(0)


@pytest.mark.parametrize(
    ("number", "steps", "place"),
    [(2, 3, "compared"), (3, 0, "heat"), (4, 3, "precision"), (5, 0, "board"), (6, 1, "board")],
)
def test_the_number_stands_where_the_lesson_leads(
    narrow: Page, phantom_server: Server, number: int, steps: int, place: str
) -> None:
    """Of the other lessons one number each, on a page of 390 px too."""
    go(narrow, f"{phantom_server.url}/#simulate?lesson={number}")
    expect(narrow.locator(".lesson-place")).to_have_text(re.compile("^1 of"), timeout=SLOW)
    for _ in range(steps):
        narrow.locator(".lesson-next").click()
    narrow.locator(HIDDEN).wait_for()
    answer(narrow, "absent")
    if place == "heat":
        narrow.locator(".sim-model").nth(1).wait_for()
    narrow.locator(".lesson-link").click()
    narrow.locator(".number-marked").first.wait_for(timeout=SLOW)
    expect(narrow.locator(".number-marked").first).to_be_in_viewport()
    assert narrow.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    if place != "heat":
        expect(narrow.locator(".number-marked").first).to_contain_text("[", timeout=SLOW)  # with its digits
        narrow.wait_for_function(MARK_IS_IN_WORDS, timeout=SLOW)  # a table that was being drawn is drawn again
    close_lesson(narrow)
    expect(narrow.locator(".number-marked")).to_have_count(0)


def test_the_bar_takes_its_height_from_the_tab_below(page: Page) -> None:
    begin(page, "The heat map that misleads")
    wait_until_simulated(page)
    bar, room = page.locator(".lesson").bounding_box(), page.locator(".simulating").bounding_box()
    assert bar is not None and room is not None
    assert room["y"] == pytest.approx(bar["y"] + bar["height"], abs=1)
    assert room["y"] + room["height"] == pytest.approx(900, abs=1)


def test_the_networks_of_a_lesson_stand_in_its_bar_with_score_threshold_and_outcome(page: Page) -> None:
    begin(page, "What sampling buys on the tail")
    expect(page.locator(".lesson-scores")).to_be_hidden()
    answer(page)
    rows = page.locator(".lesson-models tbody tr")
    expect(rows).to_have_text([re.compile("^lab-bce-0 .*miss"), re.compile("^lab-class-aware-0 .*hit")])
    for row in rows.all():  # no figure reads like its threshold
        value, threshold = re.findall(r"[\d.]+", " ".join(row.locator("td").all_inner_texts()))[:2]
        assert (float(value) >= float(threshold)) == ("not flagged" not in row.inner_text()) and value != threshold
        assert "(internal)" in row.inner_text()
    assert_accessible_at(page, 1440, 390)
    page.locator(".lesson-next").click()
    expect(page.locator(".lesson-scores")).to_be_hidden()


def test_two_films_of_a_patient_are_as_wide_as_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#simulate [data-command=centers]").click()
    expect(page.locator("#simulate .view")).to_have_count(2, timeout=SLOW)
    boxes = [stage.bounding_box() for stage in page.locator("#simulate .stage").all()]
    assert all(box and min(box["width"], box["height"]) >= 330 for box in boxes)
    assert boxes[0] and boxes[1] and boxes[1]["y"] > boxes[0]["y"] + 330


def test_back_leaves_a_lesson_and_does_not_begin_it_again(page: Page) -> None:
    before = page.url
    begin(page, "Same disease, another center")
    page.go_back()
    expect(page.locator(".lesson-place")).to_have_text("1 of 4", timeout=SLOW)
    assert page.url == before


def test_the_healthy_twin_is_shown_after_the_answer_only(page: Page) -> None:
    begin(page, "The heat map that misleads")
    page.locator(".lesson-next").click()
    page.locator(HIDDEN).wait_for()
    answer(page, "absent")
    expect(page.locator(".lesson-words")).to_have_text(re.compile("^Correct.* normal film"))
    twin = page.locator("#simulate [data-command=twin]")
    expect(twin).to_have_attribute("aria-pressed", "true", timeout=SLOW)  # once the twin is drawn
    expect(page.locator("#simulate .facts")).to_contain_text("TWIN")


def test_a_lesson_that_is_not_there_says_so(page: Page, phantom_server: Server) -> None:
    go(page, f"{phantom_server.url}/#simulate?lesson=9")
    expect(page.locator(".lesson-words")).to_contain_text("There are 6", timeout=SLOW)
    assert page.url.endswith("#simulate")


def test_a_lesson_is_copied_to_the_playlists(page: Page, phantom_server: Server) -> None:
    go(page, f"{phantom_server.url}/#teach?section=lessons")
    expect(page.locator(".lesson-card")).to_have_count(6, timeout=SLOW)
    expect(page.locator(".lesson-card").first).to_be_in_viewport()
    assert_accessible_at(page, *WIDTHS)
    page.locator(".lesson-copy").first.click()
    page.get_by_role("link", name="Open the copy").click()
    expect(page.locator(".playlist-title")).to_have_value("Why accuracy misleads on the tail", timeout=SLOW)
    expect(page.locator(".editor-films > li")).to_have_count(4)
    expect(page.locator(".playlist-closing")).to_have_value(re.compile("^Accuracy counts films"))
    page.locator(".editor-tools").get_by_role("button", name="Delete", exact=True).click()  # others look for none
    page.get_by_role("button", name="Delete for good").click()
    expect(page.locator(".playlists-said")).to_contain_text("is deleted.")


def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_window(page: Page) -> None:
    begin(page, "Same disease, another center")
    assert_accessible_at(page, *WIDTHS)
    answer(page)
    for width in WIDTHS:
        assert_accessible_at(page, width)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
