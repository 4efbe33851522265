"""In a study cohort, every panel of Evaluate and Explore says studies where it counts them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.analysis.studies.study_cohort import make_studies
from explorer.ui.shared.links import cohort_id, model_id
from tests.explorer.cohorts.test_counted import SENTENCES
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import wait_until_compared
from tests.ui.explore_room import SLOW, wait_until_shown
from tests.ui.loaded_modules import loaded_modules, run
from tests.ui.visits import MODELS, NAME, visits
from tests.ui.windows import Kind, go, windows

pytestmark = pytest.mark.browser

BY_STUDY = f"{NAME}-studies"
COHORT = {"cohort": cohort_id(BY_STUDY), "model": model_id(BY_STUDY, MODELS[0])}
PANELS_OF_EVALUATE = (
    "",
    "tail",
    "subgroups",
    "finding",
    "price",
    "together",
    "labels",
    "pair",
    "calibration",
    "ensemble",
)
PANELS_OF_EXPLORE = ("table", "scatter", "confused", "label-issues", "fails")
FILM = re.compile(r"\bfilms?\b", re.IGNORECASE)
OF_FILMS = re.compile(
    r"Counted by study, of the films of visits:.*|.*scored films; it has a finding if any of its films.*"
    r"|Thresholds not chosen on studies are those of the films:.*"
)


@pytest.fixture
def new_page(chromium: Browser, changed_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[NewVisitor]:
    """Goes to an address of a machine that has a cohort of studies, which nobody else finds there."""
    home = changed_server.temporary / "home"
    monkeypatch.setenv("TAILSCOPE_HOME", str(home))
    make_studies(visits(home / "cohorts"))
    with ExitStack() as opened:

        def visit(tab: str, **words: str) -> Page:
            page = opened.enter_context(windows(chromium).window(1440, 900, Kind()))
            go(page, f"{changed_server.url}/#{tab}?{urlencode(words)}")
            return page

        yield visit
    for name in (NAME, BY_STUDY):
        shutil.rmtree(home / "cohorts" / name, ignore_errors=True)


def about_films(text: str) -> list[str]:
    """Lines that are about films, without those that say what studies are made from."""
    return [line for line in text.splitlines() if FILM.search(OF_FILMS.sub("", line))]


def open_folds(page: Page, box: str) -> None:
    page.locator(box).evaluate("box => box.querySelectorAll('details').forEach((fold) => (fold.open = true))")


def test_every_panel_of_evaluate_counts_studies(new_page: NewVisitor) -> None:
    page = new_page("evaluate", cohort=COHORT["cohort"], models=".".join(model_id(BY_STUDY, each) for each in MODELS))
    wait_until_compared(page)
    found = {}
    for panel in PANELS_OF_EVALUATE:
        page.locator(f'.evaluate-panels button[data-panel="{panel}"]').click()
        expect(page.locator(f'.evaluate-panels button[data-panel="{panel}"]')).to_have_attribute("aria-current", "true")
        wait_until_compared(page)
        open_folds(page, ".evaluate-board")
        text = page.locator(".evaluate-title").inner_text() + "\n" + page.locator(".evaluate-board").inner_text()
        assert "studies" in text
        found[panel] = about_films(text)
    assert {panel: lines for panel, lines in found.items() if lines} == {}


def test_explore_counts_studies(new_page: NewVisitor, wording: Wording) -> None:
    page = new_page("explore", **COHORT)
    wait_until_shown(page)
    wording(page.locator(".sentence").inner_text())
    assert "40 studies" in page.locator(".sentence").inner_text()
    found = {}
    for panel in PANELS_OF_EXPLORE:
        page.locator(f'[role=tab][data-panel="{panel}"]').click()
        box = page.locator(f'[role=tabpanel][data-panel="{panel}"]')
        expect(box).to_contain_text(re.compile("stud(y|ies)"), timeout=SLOW)
        open_folds(page, f'[role=tabpanel][data-panel="{panel}"]')
        found[panel] = about_films(box.inner_text())
    assert {panel: lines for panel, lines in found.items() if lines} == {}


def test_the_script_words_like_the_server(chromium: Browser) -> None:
    with loaded_modules(chromium) as page:
        words = "v.map((text) => m.caseWords(text, 'study'))"
        assert run(page, "shared/counted.js", words, *SENTENCES) == list(SENTENCES.values())
