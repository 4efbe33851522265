"""What the shipped cohort says of how findings look is what their films were made with."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import check_cohort
from explorer.simulator.cohort_sampling import TEST_SPLIT, sample_cases
from explorer.simulator.request import SIDES
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME, appearance_table
from explorer.workshop.shipping.phantom_report import EXACT_SOURCE

SHIPPED = Folder(CACHE / COHORT_NAME)


def test_every_finding_that_is_present_has_its_severity_and_side() -> None:
    asked = {(case.film.case, each.finding): each for case in sample_cases(TEST_SPLIT) for each in case.film.requests}
    rows = {(row["case"], row["finding"]): row for row in pq.read_table(SHIPPED.appearances).to_pylist()}
    assert rows.keys() == asked.keys() and len(rows) == 2865
    for pair, row in rows.items():
        assert (row["severity"], row["side"]) == (asked[pair].severity, asked[pair].side or "none")
        assert (row["side"] == "none") == (not SIDES[pair[1]])
        assert 0 < row["area"] < 0.6
    labels = pq.read_table(SHIPPED.labels).to_pylist()
    assert {
        (row["case"], row["finding"]) for row in labels if (row["label"], row["source"]) == ("present", EXACT_SOURCE)
    } - rows.keys() == {(case.film.case, "Normal") for case in sample_cases(TEST_SPLIT) if not case.findings}


@pytest.mark.processor
@pytest.mark.slow
def test_areas_are_those_of_the_masks_that_the_films_are_drawn_with() -> None:
    some = [case for case in sample_cases(TEST_SPLIT) if case.findings][::300]
    shipped = {(row["case"], row["finding"]): row for row in pq.read_table(SHIPPED.appearances).to_pylist()}
    drawn = appearance_table(some).to_pylist()
    assert len(drawn) > 5
    for row in drawn:
        there = shipped[row["case"], row["finding"]]
        assert row == there | {"area": pytest.approx(there["area"], abs=1e-4)}


def test_the_cohort_lists_them_and_its_faint_misses_are_found() -> None:
    check_cohort(SHIPPED)
    store = Store(lambda: [SHIPPED])
    found = store.rows(Slice(COHORT_NAME, COHORT_NAME, severity="faint", side="left", size="small")).to_pylist()
    store.close()
    assert found and all(row["label"] == "present" and row["severity"] < 0.33 for row in found)
    assert {row["side"] for row in found} == {"left"} and max(row["area"] for row in found) < 0.01
