"""A cohort of 377,110 films is prepared once, then opened at once. Times are three times the goals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from tests.benchmarks.big_cohort import NAME, write_big_cohort
from tests.ui.app_server import Server, start, stop
from tests.ui.explore_room import tiles, wait_until_shown
from tests.ui.held import called

FILMS, PAGES = 377_110, 15_713
PREPARED = 4 * 40_000.0  # ms; other tests run beside it
FIRST_PAGE, ANY_PAGE, CASE = 3.0, 0.3, 0.12  # seconds

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    write_big_cohort(folder / "cohorts", FILMS, models=1)
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


def address(server: Server, **words: str) -> str:
    return f"{server.url}/#explore?{urlencode(slice_words(Slice(NAME, 'one')) | words)}"


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


def test_after_a_start_everything_is_there_at_once(server: Server, page: Page) -> None:
    assert seconds(page, "slice_page", lambda: page.goto(address(server))) < FIRST_PAGE
    wait_until_shown(page)
    expect(page.locator(".page-number")).to_contain_text(f"of {PAGES:,}")
    seen, took = tiles(page), []
    for number in (PAGES // 3, PAGES // 2, PAGES - 1):
        took.append(seconds(page, "slice_page", lambda at=number: page.goto(address(server, page=str(at)))))
        expect(page.locator(".page-number")).to_contain_text(f"page {number:,} of")
        wait_until_shown(page)
        seen += tiles(page)
    assert min(took) < ANY_PAGE
    assert len(set(seen)) == len(seen) == 4 * 24
    took = [seconds(page, "case_facts", lambda: page.locator(".tile").first.click())]
    for _ in range(11):  # other tests compute beside it
        took.append(seconds(page, "case_facts", page.get_by_role("button", name="Next case").click))
    assert min(took) < CASE
    expect(page.locator("dialog.case .case-title")).to_contain_text("of 377,110")
