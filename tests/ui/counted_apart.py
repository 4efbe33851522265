"""The numbers of the real nih-oof without the store, and answers of the background waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from numpy.typing import ArrayLike

from explorer.analysis.one_finding.scores import OperatingPoint
from explorer.cohorts.layout import Folder
from explorer.core.rates import Rate

Json = dict[str, Any]
COHORT, MODEL = "nih-oof", "nih-mini"
PATIENCE = 120.0  # s: a loaded machine


class Apart:
    """The cohort's numbers without the store: pandas over the Parquet files."""

    def __init__(self, folder: Folder) -> None:
        self.cases = pq.read_table(folder.cases).to_pandas().set_index("case").sort_index()
        labels = pq.read_table(folder.labels).to_pandas()
        labels["value"] = labels["label"].astype(str).map({"present": 1.0, "absent": 0.0})
        self.labels = self._wide(labels, "value")
        self.scores = self._wide(pq.read_table(folder.predictions(MODEL)).to_pandas(), "score")
        self.points = pq.read_table(folder.operating_points(MODEL)).to_pandas()

    def _wide(self, rows: pd.DataFrame, value: str) -> pd.DataFrame:
        named = rows.assign(finding=rows["finding"].astype(str))
        wide: pd.DataFrame = named.pivot(index="case", columns="finding", values=value).reindex(self.cases.index)
        return wide

    def called(self, finding: str) -> pd.Series:
        """1 called, 0 not, by the threshold of the film's fold."""
        rows = self.points[self.points["finding"].astype(str) == finding]
        thresholds = self.cases["split"].astype(str).map(dict(zip(rows["split"], rows["threshold"], strict=True)))
        return (self.scores[finding].astype(float) >= thresholds).astype(float)

    def rates(self, finding: str, films: pd.Series) -> tuple[tuple[int, int], tuple[int, int]]:
        point = rates_at(self.labels.loc[films, finding], self.called(finding)[films], 0.5)
        return (point.sensitivity.hits, point.sensitivity.n), (point.specificity.hits, point.specificity.n)


def rates_at(labels: ArrayLike, scores: ArrayLike, threshold: float) -> OperatingPoint:
    """Sensitivity and specificity of a finding at a threshold, counted; unknown labels are left out."""
    truth, called = np.asarray(labels, dtype=float), np.asarray(scores, dtype=float) >= threshold
    return OperatingPoint(
        *(Rate(int((called == side)[truth == side].sum()), int((truth == side).sum())) for side in (1, 0))
    )


def until(asked: Callable[[], Json], done: Callable[[Json], bool]) -> Json:
    """The answer once it is complete, as the page waits for it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = asked()
        if done(answer):
            return answer
        time.sleep(0.05)
    raise AssertionError("the background did not answer")
