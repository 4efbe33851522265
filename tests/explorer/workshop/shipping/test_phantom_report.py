"""The report of the shipped phantom: it misses the stated share, adds nothing, and does not count by default."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.comparisons.label_sources import LabelReading, compare_sources
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.parquet_files import read_table
from explorer.simulator.cohort_sampling import MISSED_SHARE, SEEN_FINDINGS, TEST_SPLIT, UNSEEN_FINDINGS, sample_cases
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.workshop.shipping.phantom_appearances import COHORT_NAME
from explorer.workshop.shipping.phantom_report import EXACT_SOURCE, REPORT_SOURCE, report_labels
from tests.support.lasting_store import loaded_store

MODEL = "phantom"
ABNORMAL = [finding for finding in SEEN_FINDINGS if finding != "Normal"]


@pytest.fixture(scope="module")
def store() -> Store:
    return loaded_store()


@pytest.mark.processor
@pytest.mark.slow
def test_what_ships_is_what_the_module_writes() -> None:
    shipped = read_table(Folder(CACHE / COHORT_NAME).labels)
    assert [row for row in shipped.to_pylist() if row["source"] == REPORT_SOURCE] == report_labels(
        sample_cases(TEST_SPLIT)
    ).to_pylist()


def test_a_tenth_of_the_findings_is_missed_and_none_is_added(store: Store) -> None:
    exact, report = (store.grid(COHORT_NAME, MODEL, source) for source in (EXACT_SOURCE, REPORT_SOURCE))
    there, noted = (
        each.label[:, [each.findings.index(finding) for finding in ABNORMAL]] == 1 for each in (exact, report)
    )
    assert not (noted & ~there).any()
    missed = 1 - noted.sum() / there.sum()
    assert missed == pytest.approx(MISSED_SHARE, abs=4 * np.sqrt(MISSED_SHARE * (1 - MISSED_SHARE) / there.sum()))


def test_a_film_is_called_normal_where_everything_was_missed(store: Store) -> None:
    exact, report = (store.grid(COHORT_NAME, MODEL, source) for source in (EXACT_SOURCE, REPORT_SOURCE))
    columns, normal = [report.findings.index(finding) for finding in ABNORMAL], report.findings.index("Normal")
    is_normal = report.label[:, normal] == 1
    assert (is_normal & (exact.label[:, normal] == 0)).sum() > 20
    assert not (is_normal & (report.label[:, columns] == 1).any(axis=1)).any()
    assert is_normal[exact.label[:, normal] == 1].all()


def test_nothing_is_said_of_unseen_findings() -> None:
    assert not {*report_labels(sample_cases(TEST_SPLIT))["finding"].to_pylist()} & {*UNSEEN_FINDINGS}


def test_the_exact_labels_count_where_no_source_is_asked_for(store: Store) -> None:
    plain, exact = store.grid(COHORT_NAME, MODEL), store.grid(COHORT_NAME, MODEL, EXACT_SOURCE)
    np.testing.assert_array_equal(plain.label, exact.label)
    assert store.tally(Slice(COHORT_NAME, MODEL)) == store.tally(Slice(COHORT_NAME, MODEL, label_source=EXACT_SOURCE))
    assert store.contradictions(Slice(COHORT_NAME, MODEL)) == ()


@pytest.mark.processor
@pytest.mark.slow
def test_the_docs_say_what_the_report_does_to_the_models(store: Store) -> None:
    """docs/evaluate.md, Labels against labels: over the shipped classifiers, points alone."""
    models = [each.model for each in store.models(COHORT_NAME) if each.training is not None or each.model == MODEL]
    readings = (LabelReading(EXACT_SOURCE), LabelReading(REPORT_SOURCE))
    by = {
        measure: compare_sources(store, Slice(COHORT_NAME, MODEL), models, readings, measure)
        for measure in ("AP", "AUROC")
    }
    less = {measure: found.means[0].value - found.means[1].value for measure, found in by.items()}
    tau = by["AP"].over_models
    assert tau is not None and tau[0].value is not None
    said = (
        f"Over its {len(models)} classifiers, the report's labels lower mean AP by {less['AP'].min():.3f} to "
        f"{less['AP'].max():.3f}",
        f"lower mean AUROC by at most {less['AUROC'].max():.3f}",
        f"tau-b {tau[0].value:.3f} [",
    )
    text = " ".join((Path(__file__).parents[4] / "docs" / "evaluate.md").read_text(encoding="utf-8").split())
    assert all(each in text for each in said), said
