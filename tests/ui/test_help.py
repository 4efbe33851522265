"""Help, the tour, and words that are explained where they stand: for somebody who opens the page for the first time."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from explorer.reading.samples import SAMPLES
from explorer.ui.help.tour import TOUR_FINDING, TOUR_SAMPLE, TOUR_STEPS, tour
from explorer.ui.scripts import STATIC_FOLDER
from tests.support.wording import Wording
from tests.ui.app_server import ROOT, Server
from tests.ui.axe import assert_accessible
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW
from tests.ui.reading_room import choose, open_sample, wait_until_joined, wait_until_read
from tests.ui.text_shown import text_with

HELP = STATIC_FOLDER / "help" / "help.html"
WORDS_A_MINUTE = 200  # of somebody who reads with care


def test_the_tour_takes_two_minutes_and_opens_what_is_there() -> None:
    assert TOUR_SAMPLE in {sample.key for sample in SAMPLES}
    said = tour(None)
    words = sum(len(step["words"].split()) for step in said["steps"])
    assert 4 <= len(TOUR_STEPS) <= 7 and words <= 2 * WORDS_A_MINUTE
    tabs = {"read", "ask", "explore", "evaluate", "simulate", "teach"}
    assert {re.split(r"[#?]", step["link"])[1] for step in TOUR_STEPS} == tabs
    assert tabs <= set(re.findall(r'<dt><a href="#(\w+)">', HELP.read_text(encoding="utf-8")))


@pytest.mark.browser
def test_the_tour_leads_through_every_tab(new_visitor: NewVisitor) -> None:
    page = new_visitor()
    page.locator("#read .drop-tour a").click()
    expect(page.locator("#lesson-title")).to_have_text("Tour", timeout=SLOW)
    wait_until_read(page)
    expect(page.locator("#read .film-name")).to_have_text("Effusion, large heart")
    page.locator(".lesson-next").click()
    expect(page.locator(f".finding[data-finding='{TOUR_FINDING}']")).to_have_attribute("aria-pressed", "true")
    for tab in ("Ask", "Explore", "Evaluate", "Simulate", "Teach"):
        page.locator(".lesson-next").click()
        expect(page.get_by_role("tab", name=tab, exact=True)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".lesson-next")).to_be_disabled()


@pytest.mark.browser
def test_a_link_to_a_sample_does_not_take_the_place_of_ones_own_film(new_visitor: NewVisitor, wording: Wording) -> None:
    page = new_visitor()
    film = ROOT / "explorer" / "ui" / "pictures" / "read.png"
    page.locator("#film-file").set_input_files(film)
    page.locator("#read .film-name").wait_for(timeout=SLOW)
    page.evaluate("location.hash = '#read?sample=masses'")
    wording(text_with(page.locator("#read .aside"), "Close your film"))
    expect(page.locator("#read .film-name")).to_have_text("read.png")


@pytest.mark.browser
def test_help_has_every_word_of_the_glossary_and_can_be_left(reader: Page) -> None:
    reader.get_by_role("button", name="Help", exact=True).click()
    page = reader.locator("dialog.help-page")
    expect(page).to_be_visible()
    rows = re.findall(
        r"^\| (.+?) \| (.+) \|$", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    said = [row.inner_text() for row in page.locator(".help-words dt").all()]
    assert said == [word for word, _ in rows if word != "term" and not word.startswith("-")]
    assert_accessible(reader)
    reader.keyboard.press("Escape")
    expect(page).to_be_hidden()


@pytest.mark.browser
def test_a_word_is_explained_to_the_keyboard_and_to_a_finger(reader: Page, wording: Wording) -> None:
    open_sample(reader)
    choose(reader, "Pleural Effusion")
    wait_until_joined(reader)  # until then the numbers are drawn anew, and the keyboard's place in them is lost
    reader.locator(".numbers-fold").focus()
    reader.keyboard.press("Enter")
    reader.keyboard.press("Tab")
    tip = reader.locator(".term-tip")
    wording(text_with(tip))
    expect(reader.locator(".number-lines dt", has_text="Threshold")).to_have_attribute("aria-describedby", "term-tip")
    reader.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    reader.locator(".number-lines dt", has_text="Sensitivity").dispatch_event(
        "pointerup", {"bubbles": True, "pointerType": "touch"}
    )
    wording(text_with(tip))


@pytest.mark.browser
def test_on_a_phone_help_and_the_empty_page_fit(new_visitor: NewVisitor, server: Server) -> None:
    page = new_visitor(width=390, height=844)
    drop, last = page.locator(".drop-text").bounding_box(), page.locator(".drop-promise").first.bounding_box()
    assert drop is not None and last is not None
    assert last["y"] + last["height"] <= drop["y"] + drop["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".help-open").click()
    box = page.locator("dialog.help-page").bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
