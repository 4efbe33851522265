"""The switch between films and studies in a browser: one click, the same comparison, and the way back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from explorer.ui.shared.links import center_id, cohort_id, model_id
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import CLINIC, state, wait_until_compared
from tests.ui.explore_room import SLOW
from tests.ui.text_shown import text_with
from tests.ui.visits import MODELS, NAME, visits
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser

BY_STUDY = f"{NAME}-studies"


@pytest.fixture
def new_page(chromium: Browser, changed_server: Server) -> Iterator[NewVisitor]:
    """Goes to Evaluate of a machine that has a cohort of studies, which nobody else finds there."""
    home = changed_server.temporary / "home" / "cohorts"
    visits(home)
    with ExitStack() as opened:

        def visit(width: int = 1440, height: int = 900, **words: str) -> Page:
            page = opened.enter_context(windows(chromium).window(width, height, Kind()))
            go(page, f"{changed_server.url}/#evaluate?{urlencode(words)}")
            wait_until_compared(page)
            return page

        yield visit
    for name in (NAME, BY_STUDY):
        shutil.rmtree(home / name, ignore_errors=True)


def switch(page: Page) -> Locator:
    return page.get_by_role("group", name="Count", exact=True)


def count_by(page: Page, unit: str) -> None:
    switch(page).get_by_role("button", name=f"per {unit}").click()
    expect(switch(page).get_by_role("button", name=f"per {unit}")).to_have_attribute(
        "aria-pressed", "true", timeout=SLOW
    )
    wait_until_compared(page)


def test_one_click_counts_studies_and_one_click_films_again(new_page: NewVisitor, wording: Wording) -> None:
    models = ".".join(model_id(NAME, each) for each in MODELS)
    page = new_page(cohort=cohort_id(NAME), center=center_id(NAME, "North"), models=models)
    films = page.locator(".evaluate-title").inner_text()
    count_by(page, "study")
    assert state(page)["cohort"] == cohort_id(BY_STUDY)
    assert state(page)["center"] == center_id(BY_STUDY, "North")
    wording(text_with(page.locator(".evaluate-title"), "20 studies"))
    expect(page.locator(".evaluate-note")).to_be_hidden()
    count_by(page, "film")
    expect(page.locator(".evaluate-title")).to_have_text(films)
    page.go_back()
    expect(page.locator(".evaluate-title")).to_contain_text("20 studies")


def test_a_panel_stays_and_a_lateral_view_is_a_filter(new_page: NewVisitor) -> None:
    page = new_page(cohort=cohort_id(NAME), panel="calibration")
    page.locator("[data-key='choose view']").select_option("lateral")
    wait_until_compared(page)
    expect(page.locator(".evaluate-title")).to_contain_text("lateral films: 40 films")
    page.locator("[data-key='choose view']").select_option("")
    wait_until_compared(page)
    count_by(page, "study")
    expect(page.locator(".evaluate-title")).to_contain_text(
        "Calibration of first on studies of visits-studies: 40 studies"
    )


def test_the_switch_is_accessible_at_every_width(new_page: NewVisitor) -> None:
    page = new_page(cohort=cohort_id(NAME))
    assert_accessible_at(page, 1440, 1024, 390, within=".evaluate-bar")
    for button in switch(page).get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_a_cohort_without_studies_has_no_switch(new_page: NewVisitor) -> None:
    page = new_page(cohort=CLINIC)
    expect(switch(page)).to_have_count(0)
