"""The figures of the ways are those of scikit-learn on the shipped scores, and those that the docs print."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.cohorts.layout import cohort_folder
from explorer.cohorts.parquet_files import read_table
from explorer.simulator.cohort_sampling import UNSEEN_FINDINGS
from explorer.workshop.lab.zero_shot_comparison import BASELINE_MODEL, WayFigure, compare_ways, zero_shot_table
from models.cards.card import PROJECT


@pytest.fixture(scope="module")
def figures() -> tuple[WayFigure, ...]:
    return compare_ways(cohort_folder("phantom"))


@pytest.mark.processor
@pytest.mark.slow
def test_points_are_those_of_scikit_learn(figures: tuple[WayFigure, ...]) -> None:
    cohort = cohort_folder("phantom")
    labels = read_table(cohort.labels).to_pandas().set_index(["finding", "case"]).label.astype(str) == "present"
    assert len(figures) >= 2 * 5, "five ways at least"
    for figure in figures:
        shard = cohort.predictions(figure.way) / "part-00000.parquet"
        scores = read_table(shard).to_pandas().set_index(["finding", "case"]).score
        metric = {"AP": average_precision_score, "AUROC": roc_auc_score}[figure.metric]
        each = [metric(labels[finding].loc[scores[finding].index], scores[finding]) for finding in UNSEEN_FINDINGS]
        assert figure.value[0] == pytest.approx(np.mean(each), abs=1e-9)
        assert figure.value[1] <= figure.value[0] <= figure.value[2]


def test_differences_are_to_the_shipped_prompts(figures: tuple[WayFigure, ...]) -> None:
    by = {(each.way, each.metric): each for each in figures}
    for (way, metric), figure in by.items():
        if way == BASELINE_MODEL:
            assert figure.ahead is None
        else:
            assert figure.ahead is not None
            assert figure.ahead[0] == pytest.approx(figure.value[0] - by[BASELINE_MODEL, metric].value[0], abs=1e-9)


@pytest.mark.processor
def test_the_docs_print_them(figures: tuple[WayFigure, ...]) -> None:
    docs = (PROJECT / "docs" / "lab-figures.md").read_text(encoding="utf-8").replace("<br>", "; ")
    for line in zero_shot_table(figures).splitlines()[2:]:
        way, *cells = line.strip("| ").split(" | ")
        (row,) = [each for each in docs.splitlines() if each.startswith(f"| `{way}` |")]
        assert row.endswith(f"| {' | '.join(cells)} |"), way
