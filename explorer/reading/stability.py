"""How stable a film's scores are: its own scores after 24 small changes, and what they do to each call.

A call is whether the score reaches the finding's threshold. It is stable if no more than 1 in 10 changes turn it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.reading.finding_list import FindingRow

MOST_TURNED = 0.1  # share of the changes that may turn a stable call


@dataclass(frozen=True, slots=True, eq=False)
class FilmStability:
    """A film's scores (changes, findings) after the small changes of these names, findings in the card's order."""

    changes: tuple[str, ...]
    findings: tuple[str, ...]
    scores: NDArray[np.float32]
    wait_ms: float
    change_ms: float
    score_ms: float


@dataclass(frozen=True, slots=True)
class FindingStability:
    """A finding's score on the film itself and after `changes` small changes.

    `low` to `high` leaves out the most extreme changes at either end, 1 in 10 of all: the band reaches across the
    threshold if and only if the call is not stable. `above` counts the changes after which the score reaches the
    threshold, `turned` those that turn the call; both are None without a call.
    """

    finding: str
    low: float
    high: float
    changes: int
    above: int | None
    turned: int | None

    @property
    def stable(self) -> bool | None:
        """Whether no more than 1 in 10 changes turn the call; None without a call."""
        return None if self.turned is None else self.turned <= MOST_TURNED * self.changes

    @property
    def words(self) -> str:
        """How often the score reaches its threshold, such as "above its threshold in 17 of 24 small changes"."""
        if self.above is None:
            return ""
        return f"above its threshold in {self.above} of {self.changes} small changes"


def finding_stability(film: FilmStability, rows: Sequence[FindingRow]) -> tuple[FindingStability, ...]:
    """Return the stability of the rows of the same film and model, in their order."""
    return tuple(_stability(row, film.scores[:, film.findings.index(row.finding)]) for row in rows)


def _stability(row: FindingRow, scores: NDArray[np.float32]) -> FindingStability:
    """Return the stability of a finding; `scores` are those after the changes (changes,)."""
    changes = len(scores)
    left_out = int(MOST_TURNED * changes)
    ordered = np.sort(scores.astype(np.float64))
    band = float(ordered[left_out]), float(ordered[changes - 1 - left_out])
    if row.threshold is None or row.state == "cannot judge":
        return FindingStability(row.finding, *band, changes, None, None)
    above = int((ordered >= row.threshold).sum())
    return FindingStability(row.finding, *band, changes, above, changes - above if row.above else above)


def stability_words(findings: Sequence[FindingStability]) -> str:
    """Return which findings' calls are not stable, in a sentence; empty if no finding has a call."""
    called = [each for each in findings if each.stable is not None]
    if not called:
        return ""
    changes = called[0].changes
    often = f"in more than {int(MOST_TURNED * changes)} of {changes} small changes of this film"
    turning = [f"{each.finding} (above it in {each.above})" for each in called if not each.stable]
    if not turning:
        return f"No finding crosses its threshold {often}."
    cross = "crosses its" if len(turning) == 1 else "cross their"
    return f"{len(turning)} of {len(called)} findings {cross} threshold {often}: {', '.join(turning)}."
