"""One finding by several models on the same films, and at which thresholds it is worth looking."""

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
from explorer.metrics.thresholds import Rule, fit_thresholds


def half_of(scale: float | None) -> float:
    """What 0.5 is to a model: of margins, which have a scale, the one whose sigmoid is 0.5, which is 0."""
    return 0.5 if scale is None else 0.0


class OperatingPoint(NamedTuple):
    """Positives called and negatives not called, as `explorer.metrics.predictive_values` takes them."""

    sensitivity: Rate
    specificity: Rate


@dataclass(frozen=True, slots=True, eq=False)
class FindingScores:
    """All films that the models are compared on, those whose label is unknown among them: resamples draw patients of
    all of them, so that this finding has the resamples of the leaderboard.
    """

    finding: str
    models: tuple[str, ...]
    labels: Floats  # (n,) 1 present, 0 absent, NaN unknown
    scores: Floats  # (models, n) as the models gave them
    called: NDArray[np.int8]  # (models, n) 1 called at the model's own threshold, 0 not, -1 without one
    scales: tuple[float | None, ...]  # (models,) of margins; None: scores
    centers: NDArray[np.object_]  # (n,) str
    patients: NDArray[np.int64]  # (n,)
    weights: Floats | None  # (n,) None: every film counts the same

    @classmethod
    def of(cls, joint: JointScores, place: int, *, natural: bool) -> FindingScores:
        """The finding at a place; `natural`: each film counts as often as nature has it."""
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
        """Films (n,) whose label is known."""
        return ~np.isnan(self.labels)

    @property
    def positives(self) -> int:
        """Films with the finding."""
        return int((self.labels == 1).sum())

    @property
    def negatives(self) -> int:
        """Films without it."""
        return int((self.labels == 0).sum())

    @property
    def lacking(self) -> str | None:
        """Why there is no curve; None where there is one."""
        return lacking_class(self.positives, self.negatives)


@dataclass(frozen=True, slots=True)
class Mark:
    """A threshold worth a look: `low` and `high` are the same but where a model has one by fold; None without one, and
    `reason` says why. `in_sample`: it was chosen on these very films.

    `point` and `precision` count films; `place` is false positive rate, sensitivity and precision as the curves count
    them; None without one of the classes, and no precision where nothing is called.
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
        """Twice the hits by positives and calls together; None without positives."""
        hits, positives = self.point.sensitivity.hits, self.point.sensitivity.n
        return 2 * hits / (positives + self.precision.n) if positives else None


def marks(one: FindingScores, model: int, own: Floats) -> Iterator[Mark]:
    """The model's own threshold, `own` (films,) of any films, NaN where there is none; Youden's, the best F1's, 0.5."""
    own = own[~np.isnan(own)]
    calls = one.called[model].astype(np.float64)
    ends = (float(own.min()), float(own.max())) if own.size else (None, None)
    yield _mark(one, "own", ends, None if own.size else "no threshold", np.where(calls < 0, np.nan, calls))
    for name, rule in (("Youden", Rule("youden")), ("best F1", Rule("f1"))):
        yield _fitted(one, model, name, rule)
    half = half_of(one.scales[model])
    yield _mark(one, "0.5", (half, half), None, (one.scores[model] >= half).astype(np.float64))


def at(one: FindingScores, model: int, threshold: float) -> Mark:
    """What calls at a threshold that was chosen by hand are worth."""
    return _mark(one, "chosen", (threshold, threshold), None, (one.scores[model] >= threshold).astype(np.float64))


def mark_of(one: FindingScores, name: str, calls: Floats) -> Mark:
    """What somebody's calls (n,) are worth: 1 called, 0 not, NaN neither. There is no threshold."""
    return _mark(one, name, (None, None), None, calls)


def _fitted(one: FindingScores, model: int, name: str, rule: Rule) -> Mark:
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
) -> Mark:
    """`calls` (n,): 1 called, 0 not, NaN neither."""
    counted = ~np.isnan(calls)
    positive, negative, called = (one.labels == 1) & counted, (one.labels == 0) & counted, calls == 1
    hits, false_alarms = positive & called, negative & called
    rates = Rate(int(hits.sum()), int(positive.sum())), Rate(int(false_alarms.sum()), int(negative.sum()))
    weigh = np.ones(len(calls)) if one.weights is None else one.weights
    top = np.array([weigh[each].sum() for each in (false_alarms, hits, hits)])
    below = np.array([weigh[each].sum() for each in (negative, positive, hits | false_alarms)])
    place = ratio(top, below)
    return Mark(
        name=name,
        low=ends[0],
        high=ends[1],
        reason=reason,
        in_sample=in_sample,
        point=OperatingPoint(rates[0], rates[1].rest),
        precision=Rate(rates[0].hits, rates[0].hits + rates[1].hits),
        place=None if np.isnan(place[:2]).any() else (float(place[0]), float(place[1]), or_none(place[2])),
    )
