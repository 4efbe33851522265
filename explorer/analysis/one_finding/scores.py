"""Scores of one finding by several models, and their performance at notable thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.arrays import Floats, or_none, ratio
from explorer.core.figures import lacking_class
from explorer.core.rates import Rate
from explorer.metrics.clustered_rates import RateSums
from explorer.metrics.thresholds import ThresholdRule, fit_thresholds


def half_score(scale: float | None) -> float:
    """Return the score that corresponds to 0.5: for margins, which have a scale, 0."""
    return 0.5 if scale is None else 0.0


class OperatingPoint(NamedTuple):
    """Sensitivity and specificity, as `explorer.metrics.predictive_values` takes them."""

    sensitivity: Rate
    specificity: Rate


@dataclass(frozen=True, slots=True, eq=False)
class FindingScores:
    """Scores of one finding on all compared films.

    Films with an unknown label are included so that resamples equal those of the leaderboard.
    """

    finding: str
    models: tuple[str, ...]
    labels: Floats  # (n,) 1 present, 0 absent, NaN unknown
    scores: Floats  # (models, n) raw
    called: NDArray[np.int8]  # (models, n) 1 called at the model's own threshold, 0 not, -1 without one
    scales: tuple[float | None, ...]  # (models,) None: not margins
    centers: NDArray[np.object_]  # (n,) str
    patients: NDArray[np.int64]  # (n,)
    weights: Floats | None  # (n,) None: unweighted

    @classmethod
    def of(cls, joint: JointScores, place: int, *, natural: bool) -> FindingScores:
        """Take the finding with index `place`; `natural` weights films to natural prevalence."""
        return cls(
            finding=joint.findings[place],
            models=joint.models,
            labels=joint.labels[:, place],
            scores=joint.scores[:, :, place].astype(np.float64),
            called=joint.called[:, :, place],
            scales=joint.scales,
            centers=joint.centers,
            patients=joint.patients,
            weights=joint.weights if natural else None,
        )

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which films (n,) have a known label."""
        return ~np.isnan(self.labels)

    @property
    def positives(self) -> int:
        """Number of films with the finding."""
        return int((self.labels == 1).sum())

    @property
    def negatives(self) -> int:
        """Number of films without it."""
        return int((self.labels == 0).sum())

    @property
    def no_curve_reason(self) -> str | None:
        """Why there is no curve, or None."""
        return lacking_class(self.positives, self.negatives)


@dataclass(frozen=True, slots=True)
class OperatingMark:
    """The performance at one threshold, or of one reader.

    `low` and `high` are equal unless thresholds differ by fold; None without a threshold, for the given `reason`.
    `in_sample` says whether it was chosen on these films. `point` and `precision` count films; `place` holds the
    weighted false positive rate, sensitivity and precision on the curves: it is None if a class is missing, and has no
    precision if nothing is called.
    """

    name: str
    low: float | None
    high: float | None
    reason: str | None
    in_sample: bool
    point: OperatingPoint
    precision: Rate
    place: tuple[float, float, float | None] | None

    @property
    def f1(self) -> float | None:
        """2 x hits / (positives + calls); None without positives."""
        hits, positives = self.point.sensitivity.hits, self.point.sensitivity.n
        return 2 * hits / (positives + self.precision.n) if positives else None


def operating_marks(one: FindingScores, model: int, own: Floats) -> Iterator[OperatingMark]:
    """Yield the performance at the model's own threshold, at those of the best Youden index and best F1, and at 0.5.

    `own` (films,) holds the model's own thresholds on any films, NaN if missing.
    """
    own = own[~np.isnan(own)]
    calls = one.called[model].astype(np.float64)
    ends = (float(own.min()), float(own.max())) if own.size else (None, None)
    yield _mark(one, "own", ends, None if own.size else "no threshold", np.where(calls < 0, np.nan, calls))
    for name, rule in (("Youden", ThresholdRule("youden")), ("best F1", ThresholdRule("f1"))):
        yield _fitted(one, model, name, rule)
    half = half_score(one.scales[model])
    yield _mark(one, "0.5", (half, half), None, (one.scores[model] >= half).astype(np.float64))


def mark_at(one: FindingScores, model: int, threshold: float) -> OperatingMark:
    """Return the performance at a hand-picked threshold."""
    return _mark(one, "chosen", (threshold, threshold), None, (one.scores[model] >= threshold).astype(np.float64))


def mark_of_calls(one: FindingScores, name: str, calls: Floats) -> OperatingMark:
    """Return the performance of given calls (n,): 1 called, 0 not, NaN neither."""
    return _mark(one, name, (None, None), None, calls)


def _fitted(one: FindingScores, model: int, name: str, rule: ThresholdRule) -> OperatingMark:
    (cut,) = fit_thresholds(
        one.labels[:, None],
        one.scores[model][:, None],
        [one.finding],
        rule,
        cohort="these films",
        case_ids=list(range(len(one.labels))),
    ).cuts
    limit = np.nan if cut.value is None else cut.value
    calls = np.where(np.isnan(limit), np.nan, one.scores[model] >= limit)
    return _mark(one, name, (cut.value, cut.value), cut.reason, calls, in_sample=True)


def _mark(
    one: FindingScores,
    name: str,
    ends: tuple[float | None, float | None],
    reason: str | None,
    calls: Floats,
    *,
    in_sample: bool = False,
) -> OperatingMark:
    """Return the performance of calls (n,): 1 called, 0 not, NaN neither."""
    counted = ~np.isnan(calls)
    positive, negative, called = (one.labels == 1) & counted, (one.labels == 0) & counted, calls == 1
    hits, false_alarms = positive & called, negative & called
    right = np.stack([hits, negative & ~called, hits], axis=1)
    sums = RateSums.of(right, np.stack([positive, negative, hits | false_alarms], axis=1), one.patients)
    weights = np.ones(len(calls)) if one.weights is None else one.weights
    top = np.array([weights[each].sum() for each in (false_alarms, hits, hits)])
    below = np.array([weights[each].sum() for each in (negative, positive, hits | false_alarms)])
    place = ratio(top, below)
    return OperatingMark(
        name=name,
        low=ends[0],
        high=ends[1],
        reason=reason,
        in_sample=in_sample,
        point=OperatingPoint(sums.rate(0), sums.rate(1)),
        precision=sums.rate(2),
        place=None if np.isnan(place[:2]).any() else (float(place[0]), float(place[1]), or_none(place[2])),
    )
