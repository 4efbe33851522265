"""The line for questions: suggestions while typing, by keyboard and pointer, as a combobox should be."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.core.findings import FINDINGS
from tests.ui.ask_harness import FIELD, answer, ask, film, notes, open_ask
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
OPTIONS = ".suggestion"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        open_ask(page)
        yield page


def options(page: Page) -> list[str]:
    return page.locator(OPTIONS).evaluate_all("all => all.map((each) => each.dataset.word)")


def chosen(page: Page) -> str | None:
    """The option that a screen reader is told of."""
    place = page.locator(FIELD).get_attribute("aria-activedescendant")
    return place and page.locator(f"#{place}[aria-selected=true]").get_attribute("data-word")


def test_words_are_suggested_with_the_finding_they_stand_for(page: Page) -> None:
    page.locator(FIELD).press_sequentially("effus")
    expect(page.locator(FIELD)).to_have_attribute("aria-expanded", "true")
    assert options(page)[0] == "effusion"
    expect(page.locator(OPTIONS).first).to_contain_text("Pleural Effusion")
    assert "Pleural Effusion" in options(page)
    assert len(options(page)) <= 8


def test_every_word_typed_begins_a_word_of_what_is_suggested(page: Page) -> None:
    page.locator(FIELD).press_sequentially("lung fl")
    assert "fluid around the lung" in options(page)
    page.locator(FIELD).press_sequentially("xyz")
    expect(page.locator(".suggestions")).to_be_hidden()
    expect(page.locator(FIELD)).to_have_attribute("aria-expanded", "false")


def test_nothing_typed_lists_all_findings(page: Page) -> None:
    page.locator(FIELD).press("ArrowDown")
    assert len(options(page)) == len(FINDINGS)
    assert chosen(page) == options(page)[0]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == options(page)[-1]
    expect(page.locator(OPTIONS).last).to_be_in_viewport()


def test_arrows_choose_enter_asks_for_what_is_chosen(page: Page) -> None:
    page.locator(FIELD).press_sequentially("pneumot")
    page.keyboard.press("ArrowDown")
    word = chosen(page)
    assert word == options(page)[0]
    page.keyboard.press("Enter")
    expect(page.locator(FIELD)).to_have_value(str(word))
    expect(page.locator(".suggestions")).to_be_hidden()
    assert [order["text"] for (order,) in notes(page, "ask")] == [word]


def test_enter_asks_what_was_typed_where_nothing_is_chosen(page: Page) -> None:
    text = "fluid in the left pleural space"
    ask(page, f"  {text} ")
    assert [order["text"] for (order,) in notes(page, "ask")] == [text]


def test_past_the_last_option_is_what_was_typed(page: Page) -> None:
    page.locator(FIELD).press_sequentially("hernia")
    for _ in options(page):
        page.keyboard.press("ArrowDown")
    assert chosen(page) == options(page)[-1]
    page.keyboard.press("ArrowDown")
    assert chosen(page) is None
    expect(page.locator(FIELD)).to_have_value("hernia")


def test_a_click_asks_and_keeps_the_focus(page: Page) -> None:
    page.locator(FIELD).press_sequentially("big he")
    page.locator(OPTIONS, has_text="big heart").click()
    assert [order["text"] for (order,) in notes(page, "ask")] == ["big heart"]
    expect(page.locator(FIELD)).to_be_focused()


def test_escape_closes_the_list_then_leads_back_to_the_film(page: Page) -> None:
    page.locator(FIELD).press_sequentially("mass")
    page.keyboard.press("Escape")
    expect(page.locator(".suggestions")).to_be_hidden()
    expect(page.locator(FIELD)).to_have_value("mass")
    expect(page.locator(FIELD)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".stage")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator(FIELD)).to_be_focused()
    expect(page.locator(FIELD)).to_have_value("mass")


def test_keys_of_the_viewer_are_letters_while_somebody_types(page: Page) -> None:
    page.locator(FIELD).press_sequentially("hilar infiltration of 1")
    expect(page.locator("[data-command=invert]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-command=hide]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    expect(page.locator("[data-command=invert]")).to_have_attribute("aria-pressed", "true")


def test_the_model_is_not_wanted_before_somebody_types(page: Page) -> None:
    page.locator(FIELD).focus()
    assert notes(page, "ask_about") == []
    page.keyboard.type("ma")
    assert len(notes(page, "ask_about")) == 1


@pytest.mark.parametrize(("films", "words"), [([], "Open a film first"), ([film()], "Type a finding first")])
def test_nothing_is_sent_without_a_film_or_a_word(page: Page, films: list[object], words: str) -> None:
    page.evaluate("films => hangs(films)", dict(zip("ab", films, strict=False)))
    ask(page, "" if films else "mass")
    expect(page.locator(".question-state")).to_contain_text(words)
    assert notes(page, "ask") == []


def test_what_is_typed_is_never_markup(page: Page) -> None:
    run = "<img src=x onerror=window.ran=1>"
    open_ask(page, {"*": answer(run, why=run, warnings=[{"kind": "negated", "words": run, "instead": run}])})
    ask(page, run)
    expect(page.locator(".answer-text")).to_have_text(run)
    expect(page.locator(".asked-text")).to_have_text(run)
    assert page.evaluate("window.ran") is None
    assert page.locator("#ask img[src=x]").count() == 0
