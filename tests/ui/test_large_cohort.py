"""A cohort of 377,110 films is prepared once, then opened at once: a page, a film cost what they do among 1,000.

Seconds are those of `python -m tests.benchmarks.ground`. Here other tests run beside it, so that a time is compared
with one that was taken a moment before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, Response, expect

from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from tests.benchmarks.big_cohort import NAME, write_big_cohort
from tests.ui.app_server import Server, start, stop
from tests.ui.explore_room import tiles, wait_until_shown
from tests.ui.held import called

FILMS, PAGES = 377_110, 15_713
FEW, FEW_FILMS, FEW_PAGES = "few", 1_000, 42
PREPARED = 600_000.0  # ms; 40 s on two quiet cores
ALIKE = 3.0  # times as long, at most, although there are 377 times as many films

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    write_big_cohort(folder / "cohorts", FILMS, models=1)
    write_big_cohort(folder / "cohorts", FEW_FILMS, models=1, name=FEW)
    return folder


@pytest.fixture
def server(home: Path, tmp_path: Path) -> Iterator[Server]:
    running = start(tmp_path, home=home)
    yield running
    stop(running)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1440, "height": 900}) as visitor:
        yield visitor.new_page()


def address(server: Server, name: str = NAME, **words: str) -> str:
    return f"{server.url}/#explore?{urlencode(slice_words(Slice(name, 'one')) | words)}"


def seconds(page: Page, question: str, act: Callable[[], object]) -> float:
    """How long the server took to answer what the page asked because of an act."""

    def answers(response: Response) -> bool:
        return called(response.request) == question

    with page.expect_response(answers) as found:
        act()
    found.value.finished()
    timing = found.value.request.timing
    return float(timing["responseEnd"] - timing["requestStart"]) / 1000


def test_the_first_time_a_bar_shows_how_far_it_is(server: Server, page: Page) -> None:
    page.goto(address(server))
    bar = page.get_by_role("progressbar", name="Share of the films prepared")
    bar.wait_for()
    expect(page.locator(".refusal-title")).to_have_text("Preparing 377,110 films")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    expect(page.locator(".chip-cohort")).to_contain_text(NAME)
    page.wait_for_function("document.querySelector('.refusal-share').value > .2", timeout=PREPARED)
    wait_until_shown(page, PREPARED)
    expect(page.locator(".sentence")).to_contain_text("16,969,950 (film, finding) pairs, 377,110 films")


def test_after_a_start_everything_is_there_at_once(server: Server, page: Page, chromium: Browser) -> None:
    with chromium.new_context(viewport={"width": 1440, "height": 900}) as beside:
        few = beside.new_page()
        few.goto(address(server, FEW))
        wait_until_shown(few)
        with page.expect_response(lambda answer: called(answer.request) == "slice_page") as first:
            page.goto(address(server))
        assert "Preparing" not in first.value.text(), "the files that the test before this made are there"
        wait_until_shown(page)
        assert_pages_cost_alike(server, page, few)
        assert_films_cost_alike(page, few)


def assert_pages_cost_alike(server: Server, page: Page, few: Page) -> None:
    seen, took, took_few = tiles(page), [], []
    expect(page.locator(".page-number")).to_contain_text(f"of {PAGES:,}")
    for part in (3, 2, 1):
        for window, name, pages, times in ((few, FEW, FEW_PAGES, took_few), (page, NAME, PAGES, took)):
            number = pages // part - 1
            there = address(server, name, page=str(number))
            times.append(seconds(window, "slice_page", lambda to=there, at=window: at.goto(to)))
            expect(window.locator(".page-number")).to_contain_text(f"page {number:,} of {pages:,}")
            wait_until_shown(window)
        seen += tiles(page)
    assert np.median(took) < ALIKE * np.median(took_few), (took, took_few)
    assert len(set(seen)) == len(seen) == 4 * 24


def assert_films_cost_alike(page: Page, few: Page) -> None:
    for window in (few, page):
        window.locator(".tile").first.click()
    took: tuple[list[float], list[float]] = ([], [])
    for _ in range(11):
        for window, times in zip((few, page), took, strict=True):
            times.append(seconds(window, "case_facts", window.get_by_role("button", name="Next case").click))
    assert np.median(took[1]) < ALIKE * np.median(took[0]), took
    expect(page.locator("dialog.case .case-title")).to_contain_text("of 377,110")
