"""Explore of who has nothing of their own: the shipped cohorts, and real films that are not on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.conftest import in_nih
from tests.ui.explore_room import SLOW
from tests.ui.text_shown import text_with
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser
COHORT = "nih-oof"
(BOX, *_) = pq.read_table(Folder(CACHE / COHORT).boxes).to_pylist()


@pytest.fixture(scope="module")
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    """Explore as it opens; the tests go on from here."""
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.goto(server.url)
        page.locator(".room[data-state=empty]").wait_for()
        page.get_by_role("tab", name="Explore", exact=True).click()
        yield page


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_two_centers_are_not_cut(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    table = page.locator(".cells-scroll")
    table.wait_for()
    page.locator(".cells tbody td").first.wait_for()
    whole = "table => table.scrollWidth <= table.clientWidth"
    assert table.evaluate(whole)
    page.locator(".cells-columns summary[data-key=columns]").click()
    page.get_by_label("B \u2212 A", exact=True).check()
    expect(page.locator("td.cells-gap").first).not_to_contain_text("computing", timeout=SLOW)
    assert table.evaluate(whole)
    page.get_by_label("B \u2212 A", exact=True).uncheck()
    page.locator(".cells-columns summary[data-key=columns]").click()


def test_a_case_whose_film_is_not_here_leads_nowhere(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    go(page, f"{server.url}/{in_nih('#explore?finding=mass&outcome=miss')}")
    page.locator(".explore[data-state=shown]:not(.pending)").wait_for(timeout=SLOW)
    page.locator(".tile").first.click()
    page.locator(".case-row[aria-pressed=true]").wait_for(timeout=SLOW)
    expect(page.locator(".case-onward")).to_have_count(0)


def test_without_the_images_each_case_has_a_place_that_names_its_film(
    page: Page, server: Server, wording: Wording
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    go(page, f"{server.url}/{in_nih('#explore?case=' + opaque_id(COHORT, 'case', BOX['case']))}")
    page.locator(".case-row[aria-pressed=true]").wait_for(timeout=SLOW)
    wording(text_with(page.locator(".no-film-title"), timeout=SLOW))
    expect(page.locator(".no-film-file")).to_contain_text(BOX["case"])
    expect(page.locator(".no-film-command code")).to_have_text('make run ARGS="--images nih=DIR"')
    expect(page.locator(".case-thumb-file")).to_have_count(6, timeout=SLOW)


def test_mistakes_that_a_related_finding_explains_are_counted_and_shown(page: Page, server: Server) -> None:
    """They stay mistakes, as in the challenge's tables; the sentence below says which are half right."""
    alarms = Slice("phantom", "phantom", finding="Pneumothorax", outcomes=(Outcome.FALSE_ALARM,))
    go(page, f"{server.url}/#explore?{urlencode(slice_words(alarms))}")
    expect(page.locator(".sentence")).to_contain_text("False alarms of Pneumothorax", timeout=SLOW)
    page.locator(".explore-explained summary").click()
    line = page.locator(".explore-explained button")
    those = r"(\d+) false alarms of Pneumothorax are on films labeled Hydropneumothorax, which implies it\."
    expect(line).to_have_text(re.compile(those))
    said = re.fullmatch(those, line.inner_text())
    assert said
    line.click()
    expect(page.locator(".sentence")).to_contain_text("on films with Hydropneumothorax", timeout=SLOW)
    expect(page.locator(".sentence")).to_contain_text(f"{said[1]} films")
    expect(page.locator(".explore-explained")).to_be_hidden()
    page.locator(".tile").first.click()
    expect(page.locator(".case-row[aria-pressed=true] .case-row-note")).to_have_text(
        "labeled Hydropneumothorax", timeout=SLOW
    )
