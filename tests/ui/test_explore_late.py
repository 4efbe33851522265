"""Explore while answers are late: filters, panels and the case are those of the address, whatever comes when."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import NewVisitor, in_nih
from tests.ui.explore_room import SLOW, sentence, wait_until_shown
from tests.ui.held import HeldAnswers, refused
from tests.ui.panel_room import panel
from tests.ui.reading_room import open_sample, wait_until_joined
from tests.ui.windows import leave

pytestmark = [pytest.mark.browser, pytest.mark.shared]
DRAWN = ".cells .cell"


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def chips(page: Page) -> list[str]:
    return page.locator(".filters .chip").all_inner_texts()


def in_front(page: Page, name: str) -> None:
    expect(page.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_back_from_a_case_leaves_a_page_that_can_be_used(new_explorer: NewVisitor) -> None:
    page = new_explorer("")
    open_sample(page)
    wait_until_joined(page)
    page.locator(".alike-link").first.click()
    page.locator("dialog.case[open]").wait_for()
    page.locator(".case-row").first.wait_for()
    page.go_back()
    in_front(page, "Read")
    page.locator("#read [data-command=invert]").click()
    page.keyboard.press("Escape")
    assert "#explore" not in page.url


def test_a_case_that_comes_after_its_tab_was_left_waits_for_it(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    case = page.locator(".tile").first.get_attribute("data-case")
    address = f"{page.url}&case={case}"
    leave(page)
    held = HeldAnswers(page, "slice_page")
    page.goto(address)
    held.wait()
    tab(page, "Read")
    held.arrive()
    in_front(page, "Read")
    page.locator("#read .drop").wait_for()
    tab(page, "Explore")
    page.locator("dialog.case[open]").wait_for()
    assert page.url == address


def test_the_list_of_keys_closes_with_its_tab(new_explorer: NewVisitor) -> None:
    page = new_explorer("")
    open_sample(page)
    tab(page, "Ask")
    tab(page, "Read")
    page.keyboard.press("?")
    page.locator("#read dialog.keys[open]").wait_for()
    page.go_back()
    in_front(page, "Ask")
    page.locator("#ask-text").click()


def test_a_panel_that_was_left_before_it_answered_is_there_on_return(new_explorer: NewVisitor) -> None:
    page = new_explorer("#explore?panel=compare")
    held = HeldAnswers(page, "cell_table", only={0})
    page.evaluate("link => { location.hash = link }", in_nih("#explore?sex=F"))
    held.wait()
    tab(page, "scatter")
    held.end()
    page.locator("#explore-panel-scatter .scatter-chart").wait_for(timeout=2 * SLOW)
    tab(page, "table")
    panel(page).locator(DRAWN).first.wait_for(timeout=SLOW)
    expect(panel(page)).not_to_have_attribute("aria-busy", "true")


def test_a_panel_that_was_refused_asks_again(new_explorer: NewVisitor) -> None:
    page = new_explorer("#explore?panel=compare&sex=M")
    refused(page, "cell_table", 1)
    page.evaluate("link => { location.hash = link }", in_nih("#explore"))
    expect(panel(page)).to_contain_text("There is no room")
    tab(page, "compare")
    tab(page, "table")
    panel(page).locator(DRAWN).first.wait_for(timeout=SLOW)


def test_an_export_comes_though_another_panel_was_opened_meanwhile(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    held = HeldAnswers(page, "slice_export")
    with page.expect_download() as download:
        page.locator(".export").click()
        page.get_by_role("option", name="SQL").click()
        held.wait()
        tab(page, "compare")
        held.end()
    assert download.value.suggested_filename.endswith(".sql")


def test_back_while_a_slice_is_counted_brings_its_controls_back(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    before = chips(page), sentence(page)
    held = HeldAnswers(page, "slice_page")
    page.locator(".chip-outcome .chip-away").click()
    held.wait()
    page.go_back()
    held.end()
    wait_until_shown(page)
    page.wait_for_timeout(500)
    assert (chips(page), sentence(page)) == before
    page.locator(".hide-switch").click()
    page.go_back()
    wait_until_shown(page)
    expect(page.locator(".hide-switch input")).not_to_be_checked()
    page.locator(".hide-switch").click()
    expect(page.locator(".explore")).to_have_attribute("data-hidden", "true")


def test_a_page_that_was_refused_ahead_is_asked_for_when_it_is_turned_to(new_explorer: NewVisitor) -> None:
    page = new_explorer("#explore?panel=compare")
    held = HeldAnswers(page, "slice_page", only={1})
    page.evaluate("link => { location.hash = link }", in_nih("#explore?panel=compare&finding=mass"))
    wait_until_shown(page)
    held.wait()  # the second page, before anybody turned to it
    held.refuse()
    page.wait_for_timeout(300)
    page.keyboard.press("j")
    expect(page.locator(".page-number")).to_contain_text("page 2 of")
    wait_until_shown(page)
    expect(page.locator(".explore")).not_to_contain_text("There is no room")


def test_a_double_click_opens_the_film_in_read(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    page.locator(".tile").first.click()
    page.locator(".case-row").first.wait_for()
    page.get_by_role("button", name="Read this film").dblclick()
    in_front(page, "Read")
    page.locator("#read .film-side.has-film").wait_for()
