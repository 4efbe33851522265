"""A film goes on to Read or Ask: what the script says meanwhile, and that only the newest answer counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.ui.module_page import open_page
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
SCRIPT = """
import { openFilms } from "/shared/open_films.js";
import { SendToTab } from "/shared/send_to_tab.js";

window.notes = [];
openFilms.keeper = { showFilm: async (...film) => (notes.push(["showFilm", ...film]), window.refusal ?? null) };
window.sending = new SendToTab({
  order: (what) => notes.push(["sample", what]),
  say: (words) => (window.said = words),
  leaving: () => notes.push(["leaving"]),
});
"""
GONE = {"title": "The film is gone", "detail": "Open it again."}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium) as page:
        open_page(page, f'<!doctype html><title>Send</title><script type="module">{SCRIPT}</script>')
        page.evaluate("sending.open('ask', 'a film', { key: 'x' })")
        yield page


def notes(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate("notes")
    return found


def answer(page: Page, **message: object) -> None:
    page.evaluate("message => sending.takeAnswer(message)", message)


def test_the_film_hangs_before_the_tab_opens(page: Page) -> None:
    assert notes(page) == [["sample", {"key": "x", "request": 1}]]
    assert page.evaluate("said") == "Opening the film"
    answer(page, request=1, token="t")
    assert notes(page)[1:] == [["showFilm", "a", "a film", "t"], ["leaving"]]
    assert (page.evaluate("said"), page.evaluate("location.hash")) == ("", "#ask")


@pytest.mark.parametrize("late", [False, True], ids=["the server refuses", "it is gone when it should be shown"])
def test_a_refusal_is_said_and_the_visitor_stays(page: Page, late: bool) -> None:
    page.evaluate("refusal => (window.refusal = refusal)", GONE)
    answer(page, request=1, **({"token": "t"} if late else GONE))
    assert page.evaluate("said") == f"{GONE['title']}. {GONE['detail']}"
    assert (["leaving"] in notes(page), page.evaluate("location.hash")) == (False, "")


def test_only_the_newest_answer_counts_and_that_once(page: Page) -> None:
    page.evaluate("sending.open('read', 'another', { key: 'y' })")
    answer(page, request=1, token="old")
    answer(page, request=2, token="new")
    answer(page, request=2, token="new")
    assert [note for note in notes(page) if note[0] == "showFilm"] == [["showFilm", "a", "another", "new"]]


def test_a_failure_is_said_only_where_a_film_was_waited_for(page: Page) -> None:
    failed = "document.dispatchEvent(new Event('tailscope-failed'))"
    page.evaluate(failed)
    assert "could not be read" in page.evaluate("said")
    page.evaluate("window.said = ''")
    page.evaluate(failed)
    assert page.evaluate("said") == ""
