"""One finding's threshold moved from the highest score down: what is called at every step, exactly, ties together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The distinct scores of the cases with a known label, falling: at each of them, what scores as high is called."""

    thresholds: Floats  # (steps,)
    rows: npt.NDArray[np.intp]  # (known,) by falling score
    present: npt.NDArray[np.bool_]  # (known,) in that order
    ends: npt.NDArray[np.intp]  # (steps,) the last place of each score in that order

    @classmethod
    def of(cls, labels: Floats, scores: Floats) -> Sweep:
        """Labels (n,): 1 present, 0 absent, NaN unknown, which is left out; scores (n,), finite."""
        known = np.flatnonzero(~np.isnan(labels))
        rows = known[np.argsort(-scores[known], kind="stable")]
        ordered = scores[rows]
        ends = np.flatnonzero(np.append(ordered[1:] < ordered[:-1], True)) if len(rows) else rows[:0]
        return cls(ordered[ends], rows, labels[rows] == 1, ends)

    def called(self, counts: Counts) -> tuple[Floats, Floats]:
        """Positives and negatives called at each step, both (k, steps), of cases counted `counts` (k, n) times."""
        drawn: Floats = counts[:, self.rows].astype(np.float64)
        hits, false_alarms = (np.cumsum(drawn * each, axis=1)[:, self.ends] for each in (self.present, ~self.present))
        return hits, false_alarms
