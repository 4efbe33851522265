"""Compares ways of asking for unseen findings on the phantom's test films, in paired differences from plain prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import read_table
from explorer.metrics.bootstrap import Bootstrap, bootstrap, difference, macro_interval
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.simulator.cohort_sampling import UNSEEN_FINDINGS
from explorer.workshop.lab.interval_words import PointInterval, interval_words

COMPARED_METRICS: Mapping[str, Metric] = {"AP": average_precision, "AUROC": auroc}
BASELINE_MODEL = "phantom-vlm"  # uses each finding's name in six templates


@dataclass(frozen=True, slots=True)
class WayFigure:
    """The mean of a metric over the unseen findings, and its paired difference from BASELINE (itself: None)."""

    way: str
    metric: str
    value: PointInterval
    ahead: PointInterval | None


def compare_ways(cohort: Folder, resamples: int = 1000) -> tuple[WayFigure, ...]:
    """Compare the cohort's zero-shot models, BASELINE first; 95 % intervals resample films."""
    names = read_table(cohort.cases, ["case"])["case"].to_pylist()
    labels = _matrix(read_table(cohort.labels), names, "label") == "present"
    ways = [BASELINE_MODEL, *(name for name in cohort.models() if name.startswith("zero-shot-"))]
    places = range(len(UNSEEN_FINDINGS))
    found = []
    for name, metric in COMPARED_METRICS.items():
        each = {way: _resampled(cohort, way, names, labels, metric, resamples) for way in ways}
        for way in ways:
            ahead = (
                None if way == BASELINE_MODEL else macro_interval(difference(each[way], each[BASELINE_MODEL]), places)
            )
            found.append(WayFigure(way, name, macro_interval(each[way], places), ahead))
    return tuple(found)


def zero_shot_table(figures: tuple[WayFigure, ...]) -> str:
    """Return a table: one line per way, one column per metric."""
    lines = [f"| way | {' | '.join(COMPARED_METRICS)} |", "|---" * (1 + len(COMPARED_METRICS)) + "|"]
    for way in dict.fromkeys(each.way for each in figures):
        cells = [interval_words(each.value, each.ahead) for each in figures if each.way == way]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _resampled(
    cohort: Folder, way: str, names: list[str], labels: NDArray[np.bool_], metric: Metric, resamples: int
) -> Bootstrap:
    table = read_table(cohort.predictions(way) / "part-00000.parquet")
    scores = _matrix(table, names, "score").astype(np.float64)
    return bootstrap(labels.astype(np.float32), scores, metric, resamples)


def _matrix(table: pa.Table, names: list[str], column: str) -> NDArray[np.generic]:
    """Return a column of a table of cases and findings as an array (n, UNSEEN)."""
    frame = table.select(["case", "finding", column]).to_pandas()
    found: NDArray[np.generic] = (
        frame.pivot_table(index="case", columns="finding", values=column, aggfunc="first")
        .loc[names, list(UNSEEN_FINDINGS)]
        .to_numpy()
    )
    return found
