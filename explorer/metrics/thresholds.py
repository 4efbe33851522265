"""Thresholds on a score: a case is called positive where its score >= the threshold.

A fitted threshold lies halfway between two neighboring scores of the cases it was fitted on. One that calls every case
positive, or none, is no threshold: where a rule leads there, or a class is missing, there is none and a reason why.
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

Kind = Literal["fixed", "youden", "f1", "sensitivity", "specificity"]


@dataclass(frozen=True, slots=True)
class Rule:
    """How a threshold is chosen; `target` is the value of "fixed" and the least rate of the last two kinds, in (0, 1].

    "youden": the largest sensitivity + specificity - 1, if it is above 0 (Youden, Cancer 1950; 3: 32-35).
    "f1": the largest 2 TP / (2 TP + FP + FN) (van Rijsbergen, Information Retrieval, 1979, chapter 7). Scores that tell
    nothing have their best F1 where every case is called positive (Lipton et al., ECML PKDD 2014): then there is none.
    "sensitivity": the highest threshold with at least this sensitivity. "specificity": the lowest with at least this.
    Of several equally good thresholds "youden" and "f1" take the lowest, which misses the fewest.
    """

    kind: Kind
    target: float | None = None

    def __post_init__(self) -> None:
        if (self.target is None) != (self.kind in ("youden", "f1")):
            raise ValueError(f"The rule {self.kind!r} {'has no' if self.target is not None else 'needs a'} target.")
        if self.target is not None and not (
            np.isfinite(self.target) and (self.kind == "fixed" or 0 < self.target <= 1)
        ):
            raise ValueError(f"{self.target} is not a target of {self.kind!r}: a rate above 0 and up to 1 is.")

    def __str__(self) -> str:
        words = {"fixed": f"fixed at {self.target}", "youden": "largest Youden index", "f1": "best F1"}
        return words.get(self.kind, f"{self.kind} at least {self.target}")


@dataclass(frozen=True, slots=True)
class Cut:
    """One finding's threshold, or None and the reason; `positives` and `negatives` are the cases it was fitted on."""

    finding: str
    value: float | None
    reason: str | None
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class Thresholds:
    """One threshold for each finding, the rule and where they were fitted; None where nothing was fitted."""

    rule: Rule
    cuts: tuple[Cut, ...]
    fitted_on: FittedOn | None

    def to_dict(self) -> dict[str, Any]:
        """For JSON; `from_dict` reads it back."""
        place = None if self.fitted_on is None else self.fitted_on.to_dict()
        return {"rule": asdict(self.rule), "cuts": [asdict(cut) for cut in self.cuts], "fitted_on": place}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Thresholds:
        """What `to_dict` wrote."""
        place = None if table["fitted_on"] is None else FittedOn.from_dict(table["fitted_on"])
        return cls(Rule(**table["rule"]), tuple(Cut(**cut) for cut in table["cuts"]), place)


def fixed_thresholds(findings: Sequence[str], value: float = 0.5) -> Thresholds:
    """The same threshold for every finding; nothing is fitted, so that it may be reported on any case."""
    return Thresholds(Rule("fixed", value), tuple(Cut(name, value, None, 0, 0) for name in findings), None)


def fit_thresholds(
    labels: ArrayLike,
    scores: ArrayLike,
    findings: Sequence[str],
    rule: Rule,
    *,
    cohort: str,
    case_ids: Sequence[object],
) -> Thresholds:
    """Choose a threshold for each finding.

    `labels` (n, findings): 1 present, 0 absent, NaN unknown, which is left out. `scores` (n, findings), finite, on any
    scale. `case_ids` (n,), of films or patients, see `FittedOn`. Raises ValueError where these do not fit together.
    """
    if rule.kind == "fixed":
        raise ValueError("A fixed threshold is not fitted. Use fixed_thresholds instead.")
    truth, score = checked_arrays(labels, scores)
    cuts = tuple(_cut(name, truth[:, k], score[:, k], rule) for k, name in named_columns(findings, truth))
    return Thresholds(rule, cuts, FittedOn.of(cohort, case_ids, len(truth)))


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Every cut between two neighboring scores, lowest first, with what it leaves on its right side (cuts,)."""

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
    middle = low / 2 + high / 2  # of two neighboring floats it may be the lower one, and would call it positive
    missed = np.cumsum(present[order], dtype=np.int64)[last]
    cuts = np.where((middle > low) & (middle <= high), middle, high)
    return _Candidates(cuts, positives - missed, last + 1 - missed, positives, len(scores) - positives)


def _youden(candidates: _Candidates, target: float) -> float | str:
    # Sensitivity + specificity times positives times negatives: whole numbers, so that ties are ties.
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


_CHOOSERS: dict[Kind, Callable[[_Candidates, float], float | str]] = {
    "youden": _youden,
    "f1": _f1,
    "sensitivity": _sensitivity,
    "specificity": _specificity,
}


def _cut(finding: str, labels: Floats, scores: Floats, rule: Rule) -> Cut:
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
        return Cut(finding, None, chosen, positives, negatives)
    return Cut(finding, chosen, None, positives, negatives)
