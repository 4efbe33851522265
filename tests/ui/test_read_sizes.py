"""Read in windows of three sizes: the film keeps its room, nothing is cut, and nothing has to be scrolled to."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.app_server import Server
from tests.ui.reading_room import choose, open_sample, show_map, start_over, wait_until_joined
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser
CASES = ".alike-case"
ReadAt = Callable[[int, int], Page]


@pytest.fixture(scope="module")
def read_at(chromium: Browser, server: Server) -> Iterator[ReadAt]:
    """RG1 read in a window that had its size from the first, for all tests in that size: those in which nothing was
    folded or unfolded come first, those of another film last.
    """
    with ExitStack() as opened:

        @functools.cache
        def visit(width: int, height: int) -> Page:
            page = opened.enter_context(windows(chromium).window(width, height, Kind()))
            page.goto(server.url)
            page.locator(".room[data-state=empty]").wait_for()
            open_sample(page)
            return page

        yield visit


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_the_film_fills_the_height_and_nothing_scrolls(read_at: ReadAt, width: int, height: int) -> None:
    page = read_at(width, height)
    assert page.evaluate("document.documentElement.scrollHeight") <= height
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    box = page.locator("#film-canvas").bounding_box()
    assert box is not None
    assert box["height"] > 0.8 * height or box["width"] > 0.55 * width


def test_on_a_phone_the_film_stays_in_sight_when_it_is_read(read_at: ReadAt) -> None:
    page = read_at(390, 844)
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(("width", "height", "least"), [(1440, 900, 620), (1024, 768, 470), (390, 844, 400)])
def test_the_film_keeps_its_room(read_at: ReadAt, width: int, height: int, least: int) -> None:
    page = read_at(width, height)
    wait_until_joined(page)
    stage = page.locator(".stage").bounding_box()
    assert stage is not None and stage["height"] >= least
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    before = stage["height"]
    page.locator(".alike-head").click()
    expect(page.locator(CASES).first).to_be_hidden()
    if width > 760:
        assert page.evaluate("document.querySelector('.stage').clientHeight") > before


def test_every_finding_above_threshold_can_be_seen(read_at: ReadAt) -> None:
    page = read_at(1440, 900)
    wait_until_joined(page)
    last = page.locator(".finding[data-state=above]").last.bounding_box()
    numbers = page.locator(".numbers").bounding_box()
    assert last is not None and numbers is not None
    assert last["y"] + last["height"] <= numbers["y"]


def test_on_a_phone_the_verdict_is_seen_at_once(read_at: ReadAt) -> None:
    page = read_at(390, 844)
    open_sample(start_over(page), "phantom-effusion")
    box = page.locator(".word-title").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 844
    assert page.evaluate("scrollY") == 0


CUT = """parts => parts.flatMap(name => [...document.querySelectorAll(name)])
    .filter(part => part.getClientRects().length && part.scrollWidth > part.clientWidth + 1)
    .map(part => part.className + ": " + part.textContent)"""


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_nothing_that_says_a_figure_or_a_finding_is_cut(read_at: ReadAt, width: int, height: int) -> None:
    page = read_at(width, height)
    open_sample(start_over(page), "phantom-hydropneumothorax")
    wait_until_joined(page)
    choose(page, "Hydropneumothorax")
    show_map(page)
    expect(page.locator(".legend-worth")).to_contain_text("its usual place")
    parts = [".legend-finding", ".legend-worth", ".alike-words", ".alike-distance", ".finding-name", ".numbers dd"]
    page.locator(".numbers-fold").click()
    assert page.evaluate(CUT, parts) == []
    name = page.locator(".finding[data-finding=Hydropneumothorax] .finding-name")
    assert name.evaluate("name => name.offsetHeight") < 20  # the longest word of the list is not broken
    side = page.locator(".under-film").first.bounding_box()
    worth = page.locator(".legend-worth").first.bounding_box()
    assert side is not None and worth is not None
    assert worth["x"] + worth["width"] <= side["x"] + side["width"] + 1
