"""What axe-core has to say of every state of the Ask tab: nothing. test_ask_in_app.py asks it in the app."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.answers import verdict_answer
from tests.ui.ask_harness import FIELD, answer, ask, asked, film, hang, open_again
from tests.ui.axe import HEIGHT, assert_accessible_at
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
CAUTION = {"kind": "several findings", "words": "These are several findings in one line.", "instead": "one thing"}
DOUBTFUL = answer(
    "two things",
    verdict="cannot judge",
    said="",
    predicted=None,
    in_captions=False,
    warnings=[CAUTION],
    spread=answer()["spread"] | {"unstable": True},
)
ANSWERS = {"*": answer(), "unlikely": answer("unlikely", verdict="not flagged", score=0.1), "two things": DOUBTFUL}


# Another film leaves these as they are.
UNDO = """() => {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    for (const fold of document.querySelectorAll(".templates[open]")) fold.open = false;
    document.querySelector(".way-reveal")?.click();
}"""


@pytest.fixture(scope="module")
def opened(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, HEIGHT) as page:
        yield page


@pytest.fixture
def page(opened: Page) -> Iterator[Page]:
    """A film that nothing was asked of, on the page of the test before."""
    open_again(opened, ANSWERS)
    opened.locator(FIELD).fill("")
    yield opened
    opened.evaluate(UNDO)


def no_film(page: Page) -> None:
    hang(page)


def suggestions(page: Page) -> None:
    page.locator(FIELD).press_sequentially("effu")
    page.keyboard.press("ArrowDown")


def flagged(page: Page) -> None:
    asked(page)
    for fold in page.locator(".answer-fold-head").all():
        fold.click()


def not_flagged(page: Page) -> None:
    asked(page, "unlikely")


def doubtful(page: Page) -> None:
    asked(page, "two things")


def hidden(page: Page) -> None:
    asked(page)
    page.locator(".stage").focus()
    page.keyboard.press("h")


def templates(page: Page) -> None:
    page.locator(".templates-head").click()
    expect(page.locator(".templates-text")).not_to_have_value("")


def refused(page: Page) -> None:
    verdict = verdict_answer("Not a chest film.", "Open another.", "turn left")
    hang(page, film("leg.png", seed=4, stage="refused", opinion=None, refusal={"verdict": verdict}))


def two_films(page: Page) -> None:
    hang(page, film(), film("prior.png", seed=1), active="b")
    asked(page)


def keys(page: Page) -> None:
    page.locator(".stage").focus()
    page.keyboard.press("?")


STATES = (no_film, suggestions, flagged, not_flagged, doubtful, hidden, templates, refused, two_films, keys)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing(page: Page, state: Callable[[Page], None]) -> None:
    state(page)
    assert_accessible_at(page, 390, 1440)


@pytest.mark.parametrize("width", [1440, 390])
def test_nothing_is_wider_than_the_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})
    long = "a" * 120
    open_again(page, {"*": answer(long, why=long)})
    ask(page, long)
    expect(page.locator(".answer-verdict")).to_be_visible()
    page.locator(".answer-fold-head", has_text="All wordings").click()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
