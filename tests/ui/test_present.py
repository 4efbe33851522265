"""A film presented to a room, in each tab that has one: in the app itself, with phantom models of random weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.ui.shared.links import cohort_id
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible
from tests.ui.class_desk import font_size, small_type
from tests.ui.reading_room import wait_until_read
from tests.ui.simulate_room import SLOW, wait_until_simulated
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser

EFFUSION = "#simulate?center=A&seed=300041&Pleural+Effusion=left,0.80"
VERDICT = ".presenting .present-verdict"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1280, 720) as page:
        page.set_default_timeout(SLOW)
        yield page


def is_presented(page: Page) -> bool:
    return bool(page.evaluate("/[?&]present=1(&|$)/.test(location.hash)")) and page.locator(".presenting").count() == 1


def is_for_the_last_row(page: Page, within: str | None = ".presenting") -> None:
    """At 1,280 x 720: nothing under 18 px, one verdict in 24 px or more, the film as high as the window.

    What is around what is presented is the same for all.
    """
    expect(page.locator(VERDICT)).to_have_count(1)
    assert small_type(page) == []
    assert font_size(page, VERDICT) >= 24
    film = page.locator(".presenting .film").evaluate("each => each.getBoundingClientRect().height")
    assert film >= 0.97 * 720, "485 px without it"
    for part in (".present-said", ".present-panel"):
        fits = "each => each.scrollHeight <= each.clientHeight + 1"
        assert page.locator(f".presenting {part}").evaluate(fits), part
    assert page.evaluate("document.activeElement.matches('.presenting .present-button')"), "the focus is seen"
    assert_accessible(page, within)


def test_read_and_a_lesson_and_ask(page: Page, phantom_server: Server, wording: Wording) -> None:
    page.goto(f"{phantom_server.url}/#read?tour")
    wait_until_read(page)
    page.keyboard.press("e")
    assert is_presented(page)
    expect(page.locator(VERDICT)).to_contain_text("possible")
    is_for_the_last_row(page, within=None)
    expect(page.locator(".presenting .present-lesson")).to_contain_text("Step 1 of 7.")
    page.keyboard.press("ArrowRight")  # the next step of the lesson, presented too
    expect(page.locator(".presenting .present-lesson")).to_contain_text("Step 2 of 7.")
    assert is_presented(page)
    expect(page.locator(".presenting .present-model th").first).to_have_text("Pleural Effusion")
    page.keyboard.press("r")
    wording(text_with(page.locator(VERDICT), "hidden"))
    assert page.locator(".presenting .present-model").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator(VERDICT)).to_contain_text("possible")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    assert is_presented(page)
    page.keyboard.press("Escape")
    assert not is_presented(page) and "present" not in page.url
    page.locator(".lesson-close").click()
    page.locator("#read .stage").first.focus()
    page.keyboard.press("e")
    finding = page.locator(".presenting .present-model th").first
    page.keyboard.press("PageDown")  # of a clicker: the next finding
    expect(finding).not_to_have_text("Pleural Effusion")
    page.keyboard.press("ArrowLeft")
    expect(finding).to_have_text("Pleural Effusion")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.locator("#ask .film-canvas").first.wait_for()
    text = "fluid in the pleural space"
    page.get_by_label("Type a finding").fill(text)
    page.keyboard.press("Enter")
    page.locator("#ask .answer-verdict").wait_for()
    page.locator("#ask").get_by_role("button", name="Present", exact=True).click()
    assert page.evaluate("location.hash") == "#ask?present=1"
    expect(page.locator(".presenting .present-question")).to_have_text(text)
    is_for_the_last_row(page)


def test_simulate_hides_the_answer_of_each_patient(page: Page, phantom_server: Server, wording: Wording) -> None:
    page.goto(f"{phantom_server.url}/{EFFUSION}&present=1")  # a link
    expect(page.locator(VERDICT)).to_have_text("Pleural Effusion, left")
    expect(page.locator(".presenting .present-model")).to_have_count(2, timeout=SLOW)
    is_for_the_last_row(page)
    page.keyboard.press("m")
    expect(page.locator("#simulate .masks")).to_be_hidden()
    page.keyboard.press("r")
    question = text_with(page.locator(VERDICT), "?")
    wording(question)
    page.wait_for_function("location.hash.includes('sealed=')")
    first = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_function("first => location.href !== first", arg=first)
    wait_until_simulated(page)
    assert is_presented(page)
    expect(page.locator(VERDICT)).to_have_text(question)
    expect(page.locator("#simulate .mask-key")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(VERDICT)).to_contain_text("Pleural Effusion")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("first => location.href === first", arg=first)
    expect(page.locator(VERDICT)).to_have_text(question)
    page.keyboard.press("Escape")
    assert not is_presented(page)
    expect(page.get_by_role("tab", name="Read", exact=True)).to_be_enabled()


def test_the_cases_of_a_slice_one_after_the_other(page: Page, phantom_server: Server, wording: Wording) -> None:
    words = {"cohort": cohort_id("phantom-small"), "outcome": "miss"}
    page.goto(f"{phantom_server.url}/#explore?{urlencode(words)}")
    page.locator(".tile").first.click()
    page.locator("dialog.case .case-outcome .outcome-word").wait_for()
    page.locator("dialog.case .film-side.has-film:not(.waiting)").wait_for()
    page.keyboard.press("e")
    assert is_presented(page)
    expect(page.locator(VERDICT)).to_contain_text("\u25bcmiss")
    expect(page.locator(".presenting .present-place")).to_have_text(re.compile(r"Case 1 of \d+SIMULATED"))
    is_for_the_last_row(page)
    page.keyboard.press("r")
    hidden = text_with(page.locator(VERDICT), "hidden")
    wording(hidden)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".presenting .present-place")).to_contain_text("Case 2 of")
    expect(page.locator(VERDICT)).to_have_text(hidden)
    page.keyboard.press("r")
    expect(page.locator(VERDICT)).to_contain_text("\u25bcmiss")
    case = page.evaluate("new URLSearchParams(location.hash.slice(9)).get('case')")
    page.reload()  # the address keeps it
    expect(page.locator(VERDICT)).to_contain_text("\u25bcmiss")
    assert is_presented(page) and f"case={case}" in page.url
    page.keyboard.press("Escape")
    expect(page.locator("dialog.case .case-head")).to_be_visible()
    assert f"case={case}" in page.url and "present" not in page.url
