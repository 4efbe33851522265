"""The ways through the case view: from case to case, out of it, its keys and its focus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.ui.explore.case_place import PlacePayload
from tests.support.wording import Wording
from tests.ui.case_harness import (
    NO_FILM,
    answers,
    asked,
    covered,
    film,
    open_case,
    open_view,
    place,
    text,
    wait_for_film,
)
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900, stays=True) as page:
        yield page


def test_arrows_lead_to_the_cases_beside_it_and_to_the_findings(page: Page) -> None:
    open_case(page)
    expect(page.locator(".case-title")).to_have_text("Case 1 of 3")
    expect(page.locator(".case-previous")).to_be_disabled()
    page.keyboard.press("ArrowLeft")  # there is none before
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case-title")).to_have_text("Case 2 of 3")
    page.locator(".case-previous").click()
    expect(page.locator(".case-title")).to_have_text("Case 1 of 3")
    expect(page.locator(".case-title")).to_be_focused()  # the button that was pressed is off
    assert asked(page, "case_facts") == ["one", "two", "one"]
    for finding in ("Nodule", "Pleural Thickening", "Hernia", "Fibrosis", "Fibrosis"):
        page.keyboard.press("ArrowDown")
        expect(page.locator(".case-row[aria-pressed=true]")).to_have_attribute("data-finding", finding)
    page.keyboard.press("ArrowUp")
    expect(page.locator(".case-row[aria-pressed=true]")).to_have_attribute("data-finding", "Hernia")


def test_a_step_to_another_page_puts_the_page_into_the_state(page: Page) -> None:
    step: PlacePayload = place(24, 30, None, "two") | {"next": {"case": "two", "page": 2}}
    back: PlacePayload = place(25, 30, "one", None) | {"page": 2}
    open_case(page, answers(case_place={"one": step, "two": back}))
    expect(page.locator(".case-next")).to_be_enabled()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case-title")).to_have_text("Case 25 of 30")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".case-title")).to_have_text("Case 24 of 30")
    changes = page.evaluate("notes.filter(([name]) => name === 'change').map(([, changes]) => changes)")
    assert changes == [{"case": "two", "page": 2}, {"case": "one", "page": None}]


def test_of_the_case_before_nothing_stays_while_the_next_is_on_its_way(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    page.evaluate("view.askAndShow = async () => {}")  # a server that takes its time
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case .film")).to_have_css("visibility", "hidden")
    expect(page.locator(".case-row")).to_have_count(0)
    assert text(page, "case-outcome") == ""
    expect(page.locator(".boxes")).to_be_hidden()


def test_a_late_answer_about_a_case_that_was_left_is_dropped(page: Page) -> None:
    open_view(page, answers())
    page.evaluate(
        """async () => {
            view.open("one");
            explore.change({ case: "two" });
            await new Promise((done) => setTimeout(done, 200));
        }"""
    )
    expect(page.locator(".case-title")).to_have_text("Case 2 of 3")
    assert asked(page, "case_near") == ["two"]


def test_nearest_cases_say_what_became_of_the_chosen_finding_and_open(page: Page, wording: Wording) -> None:
    open_case(page)
    near = page.locator(".case-near-film")
    expect(near).to_have_count(2)
    expect(near.first).to_contain_text("hit")
    expect(near.first).to_contain_text("0.12, closer than 93 %")
    expect(near.first.locator(".case-thumb-file")).to_have_text("folder/near-1.png")  # it has no picture
    page.keyboard.press("ArrowDown")
    expect(near.first).to_contain_text("correct rejection")
    near.nth(1).click()
    wording(text_with(page.locator(".case-title"), "page 1"))
    assert asked(page, "case_facts") == ["one", "near-2"]
    page.get_by_role("button", name="Back to the slice").click()
    expect(page.locator(".case-title")).to_have_text("Case 1 of 3")
    expect(page.locator(".case-back")).to_be_hidden()


def test_without_a_film_the_place_names_its_file_and_how_to_give_it(page: Page, wording: Wording) -> None:
    open_case(page, answers(case_film={"*": NO_FILM}))
    wording(text_with(page.locator(".no-film-title")))
    expect(page.locator(".no-film-file")).to_have_text("images_001/00000013_005.png")
    expect(page.locator(".no-film-command code")).to_have_text('make run ARGS="--images nih=DIR"')
    assert asked(page, "case_maps") == []
    page.keyboard.press("ArrowRight")  # the keys of the cases go on
    expect(page.locator(".case-title")).to_have_text("Case 2 of 3")


def test_from_a_film_to_a_case_without_one_and_back(page: Page) -> None:
    open_case(page, answers(case_film={"one": film(), "two": NO_FILM}))
    wait_for_film(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".no-film-title")).to_be_visible()
    expect(page.locator(".case .stage")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    wait_for_film(page)
    expect(page.locator(".no-film-title")).to_be_hidden()


def test_escape_closes_it_and_the_focus_goes_back(page: Page) -> None:
    open_case(page)
    expect(page.locator(".case-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("dialog.case")).to_be_hidden()
    expect(page.locator("#thumb")).to_be_focused()
    assert page.evaluate("explore.state.case") is None


def test_one_that_is_open_again_before_it_is_told_that_it_was_closed_stays(page: Page) -> None:
    open_case(page)
    page.evaluate("""() => new Promise((done) => {
        const dialog = document.querySelector("dialog.case");
        dialog.addEventListener("close", () => done());
        dialog.close();
        view.open("one"); // as the browser's Forward does
    })""")
    expect(page.locator("dialog.case")).to_be_visible()
    assert page.evaluate("explore.state.case") == "one"


def test_a_click_beside_it_closes_it_and_one_inside_does_not(page: Page) -> None:
    open_case(page)
    page.locator(".case-panel").click(position={"x": 5, "y": 5})
    expect(page.locator("dialog.case")).to_be_visible()
    page.mouse.click(700, 20)
    expect(page.locator("dialog.case")).to_be_hidden()


def test_escape_closes_the_list_of_keys_first(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys and gestures")
    expect(keys).to_contain_text("Next case")
    expect(keys).not_to_contain_text("Link the windows")
    page.keyboard.press("ArrowRight")  # the list lies over the case
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(page.locator(".case-title")).to_have_text("Case 1 of 3")


def test_the_focus_stays_inside(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        inside = "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog.case'))"
        assert page.evaluate(inside)  # between the last and the first the browser's own controls have it


def test_single_keys_turned_off_are_off_here(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    page.keyboard.press("?")
    page.get_by_label("Single keys are on").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("h")
    expect(page.locator(".case-title")).to_have_text("Case 1 of 3")
    assert not covered(page)


def test_the_link_and_the_sql_can_be_copied(page: Page) -> None:
    open_case(page)
    page.evaluate(
        """() => {
            window.copied = [];
            const writeText = async (text) => void copied.push(text);
            Object.defineProperty(navigator, "clipboard", { value: { writeText } });
        }"""
    )
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator(".case-copy")).to_have_text("Copied")
    page.locator(".case-sql summary").click()
    page.locator(".case-sql-copy").click()
    expect(page.locator(".case-sql-copy")).to_have_text("Copied")
    link, sql = page.evaluate("copied")
    assert link == page.url
    assert sql == "SELECT 1"
