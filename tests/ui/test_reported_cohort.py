"""A cohort labeled from written reports opens in every tab, under what is on its films and under its reports."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.cohorts.public_ids import opaque_id
from explorer.core.findings import Outcome
from explorer.reports import label
from explorer.simulator.cohort_sampling import SampledCase
from explorer.simulator.report_writer import write_report
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.shared.links import slice_words
from tests.ui.app_server import Server, start, stop
from tests.ui.evaluate_room import wait_until_compared
from tests.ui.explore_room import SLOW, sentence, tiles, wait_until_shown
from tests.ui.reported_cohort import MODEL, NAME, SOURCE, make_reported, reported_cases
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
TABLE = "labels of table.csv"
FINDING = "Cardiomegaly"
SOURCES = (TABLE, SOURCE)
POSITIVE: tuple[Outcome, ...] = ("hit", "miss")
# Nobody scored the cohort's films perturbed, or with inserted findings; the papers' tables are of no cohort.
ELSEWHERE = ("robustness", "detectability", "published")


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("reported")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, str(place / "home"))
        make_reported(place)
    running = start(place, home=place / "home")
    yield running
    stop(running)


@pytest.fixture
def page(chromium: Browser, reported: Server) -> Iterator[Page]:
    with windows(chromium).window(1440, 900, Kind(), stays=True) as page:
        page.set_default_timeout(SLOW)
        yield page


def explore(page: Page, server: Server, source: str, outcome: Outcome) -> None:
    chosen = Slice(NAME, MODEL, finding=FINDING, label_source=source, outcomes=(outcome,))
    go(page, f"{server.url}/#explore?{urlencode(slice_words(chosen))}")
    wait_until_shown(page)


def evaluate(page: Page, server: Server, panel: str, source: str | None = None) -> None:
    chosen = Slice(NAME, MODEL, finding=FINDING, label_source=source)
    words = slice_words(chosen) | ({"panel": panel} if panel else {})
    go(page, f"{server.url}/#evaluate?{urlencode(words)}")
    wait_until_compared(page)


def public(case: SampledCase) -> str:
    return opaque_id(NAME, "case", case.film.case)


def present_in_reports() -> set[str]:
    return {public(case) for case in reported_cases() if label(write_report(case).text).get(FINDING) == "present"}


def test_explore_counts_by_either_source_and_the_case_shows_the_report(page: Page, reported: Server) -> None:
    found = {}
    for source in SOURCES:
        films = set[str]()
        for outcome in POSITIVE:
            explore(page, reported, source, outcome)
            assert source in sentence(page)
            films |= set(tiles(page))
        found[source] = films
    on_film = {public(case) for case in reported_cases() if FINDING in case.findings}
    assert found[TABLE] == on_film and found[SOURCE] == present_in_reports() != on_film
    explore(page, reported, SOURCE, "hit")
    page.locator(".tile").first.click()
    expect(page.locator(".case-report-text .report-mention.chosen").first).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.parametrize("source", SOURCES)
def test_every_panel_of_evaluate_is_drawn_under_the_source(page: Page, reported: Server, source: str) -> None:
    for panel in ("", *(word for word in PANELS if word not in ELSEWHERE)):
        evaluate(page, reported, panel, source)
        expect(page.locator("[data-key='choose labels'] option:checked")).to_have_text(source)
        assert page.locator(".evaluate").get_attribute("data-state") == "shown", panel


def test_evaluate_says_how_far_the_sources_agree(page: Page, reported: Server) -> None:
    evaluate(page, reported, "labels")
    heads = page.locator(".labels-means thead th").all_inner_texts()
    assert TABLE in heads and SOURCE in heads


def test_a_case_goes_on_to_read_and_ask(page: Page, reported: Server) -> None:
    explore(page, reported, SOURCE, "hit")
    page.locator(".tile").first.click()
    page.get_by_role("button", name="Ask about this film").click()
    page.locator("#ask .film-side.has-film").wait_for()
    explore(page, reported, SOURCE, "hit")
    page.locator(".tile").first.click()
    page.get_by_role("button", name="Read this film").click()
    page.get_by_role("button", name="Read it anyway").click()  # a plain PNG of a simulated film carries no mark
    page.locator("#read .room[data-state=read]").wait_for()
