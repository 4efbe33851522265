"""Counts the findings that a recipe flags on films without any."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.request import NORMAL
from explorer.workshop.lab.interval_words import PointInterval
from explorer.workshop.lab.thresholds import to_scores, validation_thresholds
from explorer.workshop.lab.trained import TrainedRecipe
from models.statistics import mean_intervals


def flagged_on_normal(seeds: Sequence[TrainedRecipe]) -> PointInterval | None:
    """Return the mean number of findings above their thresholds on test films labeled Normal, averaged over seeds.

    Thresholds are Youden's on the validation films; the 95 % interval resamples patients. None if no test film is
    labeled Normal.
    """
    first = seeds[0]
    if NORMAL not in first.findings:
        return None
    normal = first.test.labels[:, first.findings.index(NORMAL)] == 1
    if not normal.any():
        return None
    counts = np.mean([_flagged_counts(each)[normal] for each in seeds], axis=0)
    value, low, high = mean_intervals(counts[:, None], first.test.patients[normal])
    return float(value[0]), float(low[0]), float(high[0])


def _flagged_counts(made: TrainedRecipe) -> NDArray[np.int64]:
    """Return how many findings (n,) other than Normal are flagged on each test film."""
    cuts = validation_thresholds(made.validation, made.findings)
    columns = [k for k, finding in enumerate(made.findings) if finding in cuts and finding != NORMAL]
    above = to_scores(made.test)[:, columns] >= np.array([cuts[made.findings[k]] for k in columns], dtype=np.float32)
    called: NDArray[np.int64] = above.sum(axis=1)
    return called
