"""Six metrics at a glance, Ensemble and Together in a browser: choices are in the address, links lead to films."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page, expect

from explorer.analysis.ensembles.kept_ensemble import delete_ensemble
from explorer.cohorts.layout import Folder
from explorer.ui.shared.links import model_id
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import CLINIC, NIH, state, wait_until_compared, wait_until_complete
from tests.ui.explore_room import SLOW
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]

PAIR = ".".join(model_id("nih-oof", model) for model in ("nih-ensemble", "nih-mini"))


def drawn(page: Page, what: str = ".main-svg") -> None:
    page.locator(f".chart-drawn {what}").first.wait_for(timeout=SLOW)


def test_a_glance_is_a_radar_and_dots_of_the_findings_that_are_chosen(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, models=PAIR, panel="glance")
    drawn(page, ".polarlayer .js-line")
    assert page.locator(".chart-drawn .angularaxistick text").count() == 6
    all_seen = page.locator(".board-sentence").inner_text()
    page.locator("[data-key='choose part']").select_option("very rare")
    wait_until_compared(page)
    assert state(page)["part"] == "very-rare"
    expect(page.locator(".board-sentence")).to_contain_text("very rare")
    assert page.locator(".board-sentence").inner_text() != all_seen
    page.get_by_text("The same as a table").click()
    cells = page.locator(".glance-table tbody tr").first.locator("td")
    assert cells.count() == 6 and cells.first.inner_text().startswith("0.")
    page.go_back()
    wait_until_compared(page)
    expect(page.locator(".board-sentence")).to_have_text(all_seen)


def test_an_ensemble_says_its_gain_and_changes_its_mean_in_the_address(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, models=PAIR, panel="ensemble")
    wait_until_complete(page)
    drawn(page, ".scatterlayer .points")
    page.get_by_role("button", name="ranks").click()
    wait_until_complete(page)
    assert state(page)["mean"] == "ranks"
    cells = page.locator(".gains-table tbody tr").first.locator("td")
    assert cells.nth(2).inner_text().startswith("nih-ensemble")
    assert "[" in cells.nth(3).inner_text() and "," in cells.nth(3).inner_text()


def test_one_model_is_no_ensemble(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, models=model_id("nih-oof", "nih-mini"), panel="ensemble")
    expect(page.locator(".board-sentence")).to_contain_text("choose another")
    expect(page.locator(".ensemble-keep")).to_have_count(0)


@pytest.fixture
def pair_goes_again(cohort_server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a test keeps, others of the same app do not meet."""
    yield
    for overlay in tmp_path_factory.getbasetemp().glob("home[0-9]*/cohorts/nih-oof"):
        delete_ensemble(Folder(overlay), "browser-pair")


@pytest.mark.usefixtures("pair_goes_again")
def test_an_ensemble_is_kept_under_a_name_and_is_a_model_to_choose(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=NIH, models=PAIR, panel="ensemble")
    wait_until_complete(page)  # an interval that comes draws the form again
    page.locator(".ensemble-name").fill("Not a name")
    page.get_by_role("button", name="Keep as a model of the cohort").click()
    wording(text_with(page.locator(".ensemble-said"), "Not a name"))
    page.locator(".ensemble-name").fill("browser-pair")
    page.get_by_role("button", name="Keep as a model of the cohort").click()
    wording(text_with(page.locator(".ensemble-said"), "browser-pair", SLOW))
    page.locator(".evaluate-models").get_by_text("browser-pair").click()
    wait_until_compared(page)
    assert model_id("nih-oof", "browser-pair") in state(page)["models"].split(".")


def test_together_draws_findings_by_findings_and_leads_to_the_mistakes(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, models=PAIR, panel="together")
    wait_until_complete(page)
    drawn(page, ".heatmaplayer image")
    assert page.locator(".chart-drawn .xtick").count() == page.locator(".chart-drawn .ytick").count() == 15
    page.get_by_role("button", name="labels", exact=True).click()
    wait_until_compared(page)
    assert state(page)["show"] == "labels"
    page.get_by_label("Calls of").select_option("nih-mini")
    wait_until_complete(page)
    assert state(page)["of"] == model_id("nih-oof", "nih-mini")
    expect(page.locator(".board-sentence").first).to_contain_text("nih-mini")
    first = page.locator(".pairs-table").first.locator("tbody tr").first
    given = first.locator("th").inner_text()
    link = first.locator(".pair-link")
    words = dict(parse_qsl((link.get_attribute("href") or "").partition("?")[2]))
    assert words["outcome"] == "false-alarm" and words["model"] == model_id("nih-oof", "nih-mini")
    link.click()
    page.locator(".explore:not([data-state=opening]):not(.pending)").wait_for(timeout=SLOW)
    expect(page.locator(".explore .saying")).to_contain_text(f"where it called {given}", timeout=SLOW)


@pytest.mark.parametrize("panel", ["glance", "ensemble", "together"])
def test_names_of_a_visitors_data_are_text(new_board: NewVisitor, panel: str) -> None:
    page = new_board(cohort=CLINIC, panel=panel)
    wait_until_complete(page)
    assert page.evaluate("window.ran") is None
