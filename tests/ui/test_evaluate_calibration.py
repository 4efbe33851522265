"""The panel Calibration of all findings: what it answers, and how it looks in a browser."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from explorer.analysis.comparisons.calibration_by_finding import calibration_by_finding, calibration_input
from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.thresholds.carried import Origin, carry
from explorer.cohorts.images import Images
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels import calibration
from explorer.ui.shared.links import cohort_id
from explorer.ui.shared.services import Services
from tests.explorer.analysis.thresholds.test_carried import films
from tests.support.small_cohort import MODEL, NAME, store_of, write_small
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import asker
from tests.ui.evaluate_room import NIH, state, wait_until_compared, wait_until_complete

WORDS = {"cohort": cohort_id(NAME), "panel": "calibration"}


def test_a_carried_calibration_is_used_and_a_cross_fitted_one_can_be_chosen(tmp_path: Path) -> None:
    store = store_of(write_small(tmp_path, [*films("a"), *films("b")], {"Mass": 0.2}))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        ask = asker(Services(store, Images(), None, job))
        alone = ask("panel", WORDS)["content"]
        assert alone["by"] == "cross-fitted" and len(alone["ways"]) == 1
        store.keep_thresholds(NAME, MODEL, carry(store, NAME, MODEL, Origin("", "split=val"), "youden"))
        until(lambda: ask("panel", WORDS, waiting=True), lambda answer: answer["stage"] != "computing")
        found = ask("panel", WORDS)["content"]
        expected = calibration_by_finding(calibration_input(store, Slice(NAME, MODEL), MODEL, None), 20, 3)
        assert found["by"] == "carried" and len(found["ways"]) == 2
        assert found["rows"][0]["raw"]["ece"]["value"] == pytest.approx(expected.rows[0].raw.ece.value)
        other = ask("panel", {**WORDS, "calibrated": "cross-fitted"})
        assert other["content"]["by"] == "cross-fitted" and other["words"]["calibrated"] == "cross-fitted"


def test_figures_of_many_films_come_from_the_background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "AT_ONCE", 0)  # as if these few films were many
    store = store_of(write_small(tmp_path, [*films("a"), *films("b")], {"Mass": 0.2}))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        ask = asker(Services(store, Images(), None, job))
        first = ask("panel", WORDS)
        assert first["content"]["rows"] == [] and first["computing"] and first["done"] == 0
        assert first["title"].startswith("Calibration of ") and first["notes"] == []
        until(lambda: ask("panel", WORDS, waiting=True, done=0), lambda answer: answer["stage"] != "computing")
        until(lambda: ask("panel", WORDS, waiting=True), lambda answer: answer["stage"] != "computing")
        found = ask("panel", WORDS)["content"]["rows"][0]["raw"]["ece"]
        expected = calibration_by_finding(calibration_input(store, Slice(NAME, MODEL), MODEL, None), 20, 3)
        assert found["value"] == pytest.approx(expected.rows[0].raw.ece.value)
        assert found["low"] == pytest.approx(expected.rows[0].raw.ece.low)


def test_a_table_that_is_being_computed_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "AT_ONCE", 0)
    store = store_of(write_small(tmp_path, [*films("a")], {"Mass": 0.2}))
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        ask = asker(Services(store, Images(), None, job))
        job.close()  # so that it computes nothing
        refused = ask("board_file", WORDS, kind="csv")
        assert refused["stage"] == "refused" and "being computed" in refused["title"]


@pytest.mark.browser
@pytest.mark.shared
def test_every_finding_has_a_row_with_slope_and_intercept(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="calibration")
    wait_until_complete(page)
    rows = page.locator(".calibration-table tbody tr")
    expect(rows).to_have_count(15)
    expect(rows.first.locator("td").nth(2)).to_contain_text("[")
    page.get_by_label("Intervals").select_option("bias-corrected")
    wait_until_compared(page)
    assert state(page)["intervals"] == "bias-corrected"
    wait_until_complete(page)
    for width in (1440, 390):
        assert_accessible_at(page, width, within=".evaluate")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
