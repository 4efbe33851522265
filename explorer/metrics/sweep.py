"""Moves one finding's threshold from the highest score down, with exact counts at every step and ties together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The distinct scores of labeled cases, descending; at each, cases with at least that score are called."""

    thresholds: Floats  # (steps,)
    rows: npt.NDArray[np.intp]  # (known,) case indices by descending score
    present: npt.NDArray[np.bool_]  # (known,) in that order
    ends: npt.NDArray[np.intp]  # (steps,) last index of each score in that order

    @classmethod
    def of(cls, labels: Floats, scores: Floats) -> Sweep:
        """Sort labels (n,), 1 present, 0 absent, NaN unknown (ignored), by finite scores (n,)."""
        known = np.flatnonzero(~np.isnan(labels))
        rows = known[np.argsort(-scores[known], kind="stable")]
        ordered = scores[rows]
        ends = np.flatnonzero(np.append(ordered[1:] < ordered[:-1], True)) if len(rows) else rows[:0]
        return cls(ordered[ends], rows, labels[rows] == 1, ends)

    def called(self, counts: Counts) -> tuple[Floats, Floats]:
        """Return positives and negatives called at each step, both (k, steps), for `counts` (k, n) of each case."""
        drawn: Floats = counts[:, self.rows].astype(np.float64)
        hits, false_alarms = (np.cumsum(drawn * each, axis=1)[:, self.ends] for each in (self.present, ~self.present))
        return hits, false_alarms
