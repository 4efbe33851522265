"""Lines of the table where resampling has nothing to say."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.challenge_table.lines import MetricsLine, metrics_line, table_parts
from explorer.core.findings import FrequencyGroup
from explorer.core.metric_plan import Plan
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.metrics import average_precision, f1, precision, recall
from models.statistics import wilson


@pytest.fixture
def lines() -> dict[str, MetricsLine]:
    """Two findings of 40 images: of Mass nothing is called, of Nodule every positive; weights are anything."""
    labels = np.zeros((40, 2))
    labels[:12] = 1
    scores = np.column_stack([np.full(40, 0.1), np.where(labels[:, 1] == 1, 0.9, 0.1)])
    weights = np.random.default_rng(0).lognormal(size=40)
    results, weighted = (
        {name: bootstrap(labels, scores, metric, weights=each) for name, metric in METRICS.items()}
        for each in (None, weights)
    )
    parts = table_parts(("Mass", "Nodule"), (FrequencyGroup.RARE, FrequencyGroup.RARE))
    return {part.name: metrics_line(None, part, labels, None, results, weighted, Plan()) for part in parts}


METRICS = {"AP": average_precision, "F1": f1, "precision": precision, "recall": recall}


@pytest.mark.parametrize(("finding", "hits"), [("Mass", 0), ("Nodule", 12)])
def test_a_recall_that_no_resample_moves_has_wilsons_interval(
    lines: dict[str, MetricsLine], finding: str, hits: int
) -> None:
    found = lines[finding].estimates["recall"]
    assert found.value == hits / 12
    assert (found.low, found.high) == pytest.approx(wilson(hits, 12))


@pytest.mark.parametrize(
    ("finding", "metric"), [("Mass", "F1"), ("Nodule", "AP"), ("Nodule", "F1"), ("Nodule", "precision")]
)
def test_another_metric_that_no_resample_moves_has_none(
    lines: dict[str, MetricsLine], finding: str, metric: str
) -> None:
    found = lines[finding].estimates[metric]
    assert found.value in (0, 1)
    assert (found.low, found.high) == (None, None)


def test_a_mean_of_such_findings_has_none_either(lines: dict[str, MetricsLine]) -> None:
    found = lines["all findings"].estimates["recall"]
    assert (found.value, found.low, found.high) == (0.5, None, None)


@pytest.mark.parametrize("metric", METRICS)
def test_nor_has_a_weighted_one_and_rounding_is_no_interval(lines: dict[str, MetricsLine], metric: str) -> None:
    """Wilson's interval is of images that count the same; sums of weights differ in their last digit."""
    found = lines["Nodule"].weighted[metric]
    assert found.value == pytest.approx(1)
    assert (found.low, found.high) == (None, None)
