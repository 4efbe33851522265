"""Read and Ask while answers are late: the film that came last hangs, and what was typed or asked for stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.app_server import Server
from tests.ui.held import HeldAnswers, asks, refused
from tests.ui.reading_room import (
    SLOW,
    compare_with,
    film_of,
    grey,
    open_sample,
    start_over,
    upload,
    wait_until_read,
)
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser


@contextmanager
def visit(chromium: Browser, server: Server) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        page.set_default_timeout(SLOW)
        page.goto(server.url)
        page.locator(".room[data-state=empty]").wait_for()
        yield page


@pytest.fixture(scope="module")
def reader(chromium: Browser, server: Server) -> Iterator[Page]:
    """A visit of Read for those tests, each of which begins without a film."""
    with visit(chromium, server) as page:
        yield page


@pytest.fixture(scope="module")
def asker(chromium: Browser, server: Server) -> Iterator[Page]:
    """A visit of Ask likewise."""
    with visit(chromium, server) as page:
        open_ask(page)
        yield page


@pytest.fixture
def page(reader: Page) -> Iterator[Page]:
    yield start_over(reader)
    reader.unroute_all()


@pytest.fixture
def ask(asker: Page) -> Iterator[Page]:
    start_over(asker).locator("#ask-text").fill("")
    expect(asker.locator("#ask .room")).to_have_attribute("data-state", "empty")
    expect(asker.locator(".answer-text")).to_have_count(0)
    yield asker
    asker.unroute_all()


@pytest.fixture(scope="module")
def film() -> bytes:
    return grey(film_of("masses")[::4, ::4])


@pytest.fixture(scope="module")
def inverted() -> bytes:
    return grey(1 - film_of("masses")[::4, ::4])


def open_ask(page: Page) -> None:
    page.get_by_role("tab", name="Ask", exact=True).click()
    page.locator("#ask .room:not([data-state=starting])").wait_for()


def hand(page: Page, name: str, data: bytes) -> None:
    """Give Ask a file."""
    file = {"name": name, "mimeType": "application/octet-stream", "buffer": data}
    page.locator("#ask input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]


def asked(page: Page, text: str) -> None:
    page.locator("#ask-text").fill(text)
    page.keyboard.press("Enter")


def answered(page: Page, text: str) -> None:
    asked(page, text)
    expect(page.locator(".answer-text")).to_contain_text(text)
    expect(page.locator("#ask .question-state")).to_be_empty()


def in_ask(page: Page, film: bytes) -> None:
    hand(page, "film.png", film)
    page.locator("#ask .room[data-state=read]").wait_for()


def test_the_film_that_came_last_hangs(page: Page, film: bytes) -> None:
    held = HeldAnswers(page, "film", only={0})
    upload(page, "first.png", film)
    held.wait()
    upload(page, "second.png", film)
    name = page.locator("#read .film-name").first
    expect(name).to_have_text("second.png")
    wait_until_read(page)
    held.arrive()
    expect(name).to_have_text("second.png")
    expect(page.locator("#read .room")).to_have_attribute("data-state", "read")


def test_a_map_that_was_asked_for_stays_while_another_film_comes(page: Page, film: bytes) -> None:
    open_sample(page)
    wait_until_read(page)
    faint = page.locator("#read .finding[data-above=false]:not([data-finding=Normal])").last
    faint.evaluate("row => { row.closest('details').open = true; row.click(); }")
    page.locator("#read .evidence-show").first.click()
    drawn = page.locator("#read .view[data-slot=a] .heat-canvas")
    expect(drawn).to_be_visible()
    compare_with(page, "other.png", film)
    expect(page.locator("#read .view[data-slot=b] .film-canvas")).to_be_visible()
    wait_until_read(page)
    expect(drawn).to_be_visible()


def test_another_film_does_not_inherit_that_a_map_was_asked_for(page: Page, film: bytes) -> None:
    open_sample(page)
    wait_until_read(page)
    faint = page.locator("#read .finding[data-above=false]:not([data-finding=Normal])").last
    faint.evaluate("row => { row.closest('details').open = true; row.click(); }")
    finding = faint.get_attribute("data-finding")
    page.locator("#read .evidence-show").first.click()
    upload(page, "other.png", film)
    expect(page.locator("#read .film-name").first).to_have_text("other.png")
    wait_until_read(page)
    again = page.locator(f"#read .finding[data-finding='{finding}']")
    again.evaluate("row => { row.closest('details').open = true; row.click(); }")
    expect(page.locator("#read .evidence-show").first).to_be_visible()
    expect(page.locator("#read .view[data-slot=a] .heat-canvas")).to_be_hidden()


def test_a_film_is_inverted_once(ask: Page, inverted: bytes) -> None:
    questions = asks(ask, "amend")
    held = HeldAnswers(ask, "amend")
    hand(ask, "inverted.png", inverted)
    ask.locator("#ask .way-remedy").click()
    held.wait()
    expect(ask.locator("#ask .way-remedy")).to_have_count(0)
    held.end()
    ask.locator("#ask .room[data-state=read]").wait_for()
    assert len(questions) == 1


def test_what_is_typed_while_a_film_opens_is_kept(ask: Page, film: bytes) -> None:
    in_ask(ask, film)
    held = HeldAnswers(ask, "film")
    hand(ask, "second.png", film)
    held.wait()
    line = ask.locator("#ask-text")
    line.click()
    ask.keyboard.type("pneumo")
    held.end()
    expect(ask.locator("#ask .film-name").first).to_have_text("second.png")
    ask.keyboard.type("thorax")
    expect(line).to_have_value("pneumothorax")


def test_a_question_put_before_a_film_was_inverted_is_asked_of_it_then(ask: Page, inverted: bytes) -> None:
    held = HeldAnswers(ask, "opinion", only={0})
    hand(ask, "inverted.png", inverted)
    held.wait()
    asked(ask, "fluid around the lung")
    held.end()
    ask.locator("#ask .way-remedy").click()
    expect(ask.locator(".answer-text")).to_contain_text("fluid around the lung", timeout=SLOW)  # the first one asked


def test_an_older_answer_that_is_looked_at_stays(ask: Page, film: bytes) -> None:
    in_ask(ask, film)
    answered(ask, "fluid around the lung")
    answered(ask, "large heart")
    held = HeldAnswers(ask, "ask")
    asked(ask, "broken rib")
    held.wait()
    ask.locator("#ask .asked-question").last.click()
    expect(ask.locator(".answer-text")).to_contain_text("fluid around the lung")
    held.end()
    expect(ask.locator("#ask .asked-question")).to_have_count(3)
    expect(ask.locator(".answer-text")).to_contain_text("fluid around the lung")
    expect(ask.locator("#ask-text")).to_have_value("fluid around the lung")


def test_a_refusal_is_of_the_question_that_it_was_of(ask: Page, film: bytes) -> None:
    in_ask(ask, film)
    answered(ask, "fluid around the lung")
    refused(ask, "ask", 1)
    asked(ask, "broken rib")
    state = ask.locator("#ask .question-state")
    expect(state).to_contain_text("There is no room")
    ask.locator("#ask .asked-question").first.click()
    expect(state).to_be_empty()


def test_templates_come_after_two_refusals(chromium: Browser, server: Server, film: bytes) -> None:
    with visit(chromium, server) as page:  # which has not got them yet
        open_ask(page)
        in_ask(page, film)
        refused(page, "ask_about", 2)
        templates = page.locator("#ask .templates")
        for _ in range(2):
            templates.evaluate("each => { each.open = true; }")
            page.wait_for_timeout(400)
            templates.evaluate("each => { each.open = false; }")
            page.wait_for_timeout(100)
        templates.evaluate("each => { each.open = true; }")
        expect(page.locator("#ask .templates-text")).not_to_have_value("")
