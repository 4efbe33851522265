"""The case view while labels are hidden: the film alone, and nothing else on the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.case_harness import (
    NO_FILM,
    answers,
    asked,
    covered,
    open_case,
    open_view,
    wait_for_film,
)
from tests.ui.viewer_harness import settle, viewer_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        yield page


def test_hidden_there_is_the_film_alone_and_nothing_else_is_even_asked_for(page: Page) -> None:
    open_view(page, answers())
    page.evaluate("explore.state = Object.freeze({ ...explore.state, hide: '1' })")
    page.locator("#thumb").click()
    wait_for_film(page)
    settle(page)
    assert covered(page)
    for name in ("case_facts", "case_maps", "case_near", "case_mark"):
        assert asked(page, name) == []
    shown = page.locator("dialog.case").inner_text()
    assert not any(word in shown for word in ("Mass", "Misses", "miss", "0.12", "00000013"))
    expect(page.locator(".boxes")).to_be_hidden()
    expect(page.locator("#case-heat-canvas")).to_be_hidden()
    expect(page.locator(".case-first")).to_be_hidden()  # the mode of the tab is not left here
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".case-outcome")).to_contain_text("Mass")
    expect(page.locator(".case-outcome")).to_be_focused()
    expect(page.locator(".case-slice")).to_have_text("Revealed")
    expect(page.locator(".case-title")).to_have_text("Film 1 of 3")
    expect(page.locator("#case-heat-canvas")).to_be_visible()
    page.keyboard.press("ArrowRight")  # the next one is hidden again
    expect(page.locator(".case-reveal")).to_be_visible()
    wait_for_film(page)
    assert asked(page, "case_facts") == ["one"]


def test_h_hides_and_reveals_and_nothing_of_it_stays_on_the_page(page: Page) -> None:
    open_case(page)
    page.locator(".case .legend").wait_for()
    page.keyboard.press("h")
    assert covered(page)
    everything = page.locator("dialog.case").text_content() or ""
    assert not any(word in everything for word in ("Fibrosis", "0.12", "mined", "SELECT"))
    expect(page.locator("#case-heat-canvas")).to_be_hidden()
    expect(page.locator(".boxes")).to_be_hidden()
    page.keyboard.press("b")  # not even when asked for
    expect(page.locator(".boxes")).to_be_hidden()
    page.keyboard.press("b")
    page.keyboard.press("h")
    assert not covered(page)
    expect(page.locator(".case-outcome")).to_contain_text("Mass")
    expect(page.locator(".case-near-film")).to_have_count(2)
    expect(page.locator(".boxes")).to_be_visible()
    assert asked(page, "case_facts") == ["one"]


def test_without_a_film_the_name_of_its_file_is_hidden_too(page: Page) -> None:
    open_case(page, answers(case_film={"*": NO_FILM}))
    page.keyboard.press("h")
    expect(page.locator(".no-film-file")).to_have_text("")
    page.keyboard.press("h")
    expect(page.locator(".no-film-file")).to_have_text("images_001/00000013_005.png")


def test_hidden_once_the_next_case_is_hidden_too_unless_unchecked(page: Page) -> None:
    open_case(page)
    page.keyboard.press("h")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case-title")).to_have_text("Case 2 of 3")
    assert covered(page)
    page.get_by_label("Hide them for the next cases too").focus()
    page.keyboard.press(" ")  # presses the box, and leaves the film alone
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".case-outcome")).to_contain_text("Mass")
