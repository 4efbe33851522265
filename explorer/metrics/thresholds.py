"""Thresholds on a score: a case is called positive if its score >= the threshold.

A fitted threshold lies halfway between two neighboring scores of the cases it was fitted on. A rule that would call
every case positive, or none, gives no threshold but a reason, as does a missing class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.arrays import Floats, checked_arrays
from explorer.core.figures import lacking_class
from explorer.metrics.leakage import FittedOn, named_columns

RuleKind = Literal["fixed", "youden", "f1", "sensitivity", "specificity"]


@dataclass(frozen=True, slots=True)
class ThresholdRule:
    """How a threshold is chosen; `target` is the value for "fixed", or the last two kinds' minimum rate, in (0, 1].

    "youden": maximizes sensitivity + specificity - 1, which must be above 0 (Youden, Cancer 1950; 3: 32-35). "f1":
    maximizes 2 TP / (2 TP + FP + FN) (van Rijsbergen, Information Retrieval, 1979, chapter 7). Uninformative scores
    have their best F1 with every case called positive (Lipton et al., ECML PKDD 2014); that gives no threshold.
    "sensitivity": the highest threshold with at least this sensitivity. "specificity": the lowest with at least this
    specificity. Among equally good thresholds, "youden" and "f1" take the lowest, which misses the fewest.
    """

    kind: RuleKind
    target: float | None = None

    def __post_init__(self) -> None:
        if (self.target is None) != (self.kind in ("youden", "f1")):
            raise ValueError(f"The rule {self.kind!r} {'has no' if self.target is not None else 'needs a'} target.")
        if self.target is not None and not (
            np.isfinite(self.target) and (self.kind == "fixed" or 0 < self.target <= 1)
        ):
            raise ValueError(f"{self.target} is not a target for {self.kind!r}: use a rate above 0 and up to 1.")

    def __str__(self) -> str:
        words = {"fixed": f"fixed at {self.target}", "youden": "largest Youden index", "f1": "best F1"}
        return words.get(self.kind, f"{self.kind} at least {self.target}")


@dataclass(frozen=True, slots=True)
class FittedThreshold:
    """One finding's threshold, or None with the reason; `positives` and `negatives` count the cases of the fit."""

    finding: str
    value: float | None
    reason: str | None
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Thresholds:
    """One threshold per finding, the rule, and the cases of the fit, None if nothing was fitted."""

    rule: ThresholdRule
    cuts: tuple[FittedThreshold, ...]
    fitted_on: FittedOn | None

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; `from_dict` reads it back."""
        place = None if self.fitted_on is None else self.fitted_on.to_dict()
        return {"rule": asdict(self.rule), "cuts": [asdict(cut) for cut in self.cuts], "fitted_on": place}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Thresholds:
        """Return the object that `to_dict` wrote."""
        place = None if table["fitted_on"] is None else FittedOn.from_dict(table["fitted_on"])
        return cls(ThresholdRule(**table["rule"]), tuple(FittedThreshold(**cut) for cut in table["cuts"]), place)


def fixed_thresholds(findings: Sequence[str], value: float = 0.5) -> Thresholds:
    """Return the same threshold for every finding; nothing is fitted, so it can be reported on any case."""
    return Thresholds(
        ThresholdRule("fixed", value), tuple(FittedThreshold(name, value, None, 0, 0) for name in findings), None
    )


def fit_thresholds(
    labels: ArrayLike,
    scores: ArrayLike,
    findings: Sequence[str],
    rule: ThresholdRule,
    *,
    cohort: str,
    case_ids: Sequence[object],
) -> Thresholds:
    """Choose a threshold for each finding.

    `labels` (n, findings): 1 present, 0 absent, NaN unknown (ignored). `scores` (n, findings), finite, on any scale.
    `case_ids` (n,), of films or patients, see `FittedOn`. Raises ValueError if the arguments do not fit together.
    """
    if rule.kind == "fixed":
        raise ValueError("A fixed threshold is not fitted. Use fixed_thresholds instead.")
    truth, score = checked_arrays(labels, scores)
    cuts = tuple(_cut(name, truth[:, k], score[:, k], rule) for k, name in named_columns(findings, truth))
    return Thresholds(rule, cuts, FittedOn.of(cohort, case_ids, len(truth)))


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Every cut between two neighboring scores, lowest first, with the cases it classifies correctly (cuts,)."""

    cuts: Floats
    found: NDArray[np.int64]  # positives at or above
    rejected: NDArray[np.int64]  # negatives below
    positives: int
    negatives: int


def _candidates(present: NDArray[np.bool_], scores: Floats) -> _Candidates:
    order = np.argsort(scores)
    ordered, positives = scores[order], int(present.sum())
    last = np.flatnonzero(ordered[1:] > ordered[:-1])  # the last case below each cut
    low, high = ordered[last], ordered[last + 1]
    middle = low / 2 + high / 2  # between adjacent floats it may equal the lower one, which would be called positive
    missed = np.cumsum(present[order], dtype=np.int64)[last]
    cuts = np.where((middle > low) & (middle <= high), middle, high)
    return _Candidates(cuts, positives - missed, last + 1 - missed, positives, len(scores) - positives)


def _youden(candidates: _Candidates, target: float) -> float | str:
    # Sensitivity + specificity, times positives times negatives: integers, so that ties are exact.
    gain = candidates.found * candidates.negatives + candidates.rejected * candidates.positives
    best = int(np.argmax(gain))
    if gain[best] <= candidates.positives * candidates.negatives:
        return "no threshold does better than chance"
    return float(candidates.cuts[best])


def _f1(candidates: _Candidates, target: float) -> float | str:
    called = candidates.found + candidates.negatives - candidates.rejected
    f1 = 2 * candidates.found / (called + candidates.positives)
    best = int(np.argmax(f1))
    cases = candidates.positives + candidates.negatives
    if f1[best] < 2 * candidates.positives / (cases + candidates.positives):
        return "calling every case positive has the best F1"
    return float(candidates.cuts[best])


def _sensitivity(candidates: _Candidates, target: float) -> float | str:
    enough = np.flatnonzero(candidates.found / candidates.positives >= target)
    if not len(enough):
        return f"sensitivity {target} is reached only by calling every case positive"
    return float(candidates.cuts[enough[-1]])


def _specificity(candidates: _Candidates, target: float) -> float | str:
    enough = np.flatnonzero(candidates.rejected / candidates.negatives >= target)
    if not len(enough):
        return f"specificity {target} is reached only by calling no case positive"
    return float(candidates.cuts[enough[0]])


_CHOOSERS: dict[RuleKind, Callable[[_Candidates, float], float | str]] = {
    "youden": _youden,
    "f1": _f1,
    "sensitivity": _sensitivity,
    "specificity": _specificity,
}


def _cut(finding: str, labels: Floats, scores: Floats, rule: ThresholdRule) -> FittedThreshold:
    known = ~np.isnan(labels)
    present, scores = labels[known] == 1, scores[known]
    positives, negatives = int(present.sum()), int((~present).sum())
    chosen: float | str
    if lacking := lacking_class(positives, negatives):
        chosen = lacking
    else:
        candidates, target = _candidates(present, scores), np.nan if rule.target is None else rule.target
        chosen = _CHOOSERS[rule.kind](candidates, target) if len(candidates.cuts) else "all scores are the same"
    if isinstance(chosen, str):
        return FittedThreshold(finding, None, chosen, positives, negatives)
    return FittedThreshold(finding, chosen, None, positives, negatives)
