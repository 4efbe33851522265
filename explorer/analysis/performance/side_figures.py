"""Bootstraps the measures of a finding that are not rates on several sets of films (sides), on the same resamples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.two_sides import (
    PREVALENCE_DEPENDENT,
    RANKING_MEASURES,
    RESAMPLED_MEASURES,
    Difference,
    FindingSides,
    SliceMeasure,
)
from explorer.core.arrays import Evaluate, Floats, ratio
from explorer.metrics.bootstrap import ROUNDING, Bootstrap
from explorer.metrics.case_counts import CaseCounts, CountsMetric, columns_once
from explorer.metrics.joint_calibration import calibration_error
from explorer.metrics.joint_ranking import JointEvaluate, by_resample, ranking_metrics_of
from explorer.metrics.paired_rows import two_sided_p
from explorer.metrics.resamples import resamples_of

_BINS = 15  # for ECE, as in the rest of Tailscope
_SUMS = ("prevalence", "F1")  # derived from sums over films


@dataclass(frozen=True, slots=True, eq=False)
class SideFigures:
    """A bootstrap of each measure and of the prevalence, one column per side."""

    measures: Mapping[str, Bootstrap]
    positives: NDArray[np.int64]  # (sides,) films
    negatives: NDArray[np.int64]

    def difference(self, measure: SliceMeasure, one: int = 0, other: int = 1) -> Difference:
        """Return one side minus the other."""
        difference = self._subtracted(measure, one, other)
        value, low, high = (float(each[0]) for each in (difference.point, difference.low, difference.high))
        undefined = int(difference.undefined[0])
        if np.isnan(value):
            return Difference(None, undefined=undefined)
        known = low < high
        p = two_sided_p(difference.samples[:, 0], self._fewest(one, other)) if known else None
        return Difference(
            value,
            (low, high) if known else None,
            undefined,
            measure in PREVALENCE_DEPENDENT and self.other_prevalence(one, other),
            p,
        )

    def other_prevalence(self, one: int = 0, other: int = 1) -> bool:
        """Return whether the interval of the prevalence difference excludes 0."""
        difference = self._subtracted("prevalence", one, other)
        return bool(difference.low[0] > ROUNDING or difference.high[0] < -ROUNDING)

    def _subtracted(self, name: str, one: int, other: int) -> Bootstrap:
        both = self.measures[name]
        point, samples = both.point[[one]] - both.point[[other]], both.samples[:, [one]] - both.samples[:, [other]]
        return Bootstrap.of(point, samples, both.units[[one, other]].min(keepdims=True))

    def _fewest(self, one: int, other: int) -> int:
        """Return the smallest number of films of either class on either side."""
        return min(int(films[[one, other]].min()) for films in (self.positives, self.negatives))


def side_figures(
    sides: FindingSides, resamples: int, seed: int, measures: Collection[SliceMeasure] = RESAMPLED_MEASURES
) -> SideFigures:
    """Bootstrap the given measures, and those computed with them, over whole patients."""
    labels, calls = np.stack(sides.labels, axis=1), np.stack(sides.calls, axis=1)
    judged = np.where(np.isnan(calls), np.nan, labels)
    names, evaluate = _prepared(sides, labels, judged, calls, measures)
    drawn = resamples_of(len(labels), resamples, seed, sides.units, None)
    points = evaluate(np.ones((1, len(labels)), dtype=np.int64))[0]
    samples = drawn.evaluate(evaluate)
    units = {True: drawn.units_with(~np.isnan(judged)), False: drawn.units_with(~np.isnan(labels))}
    return SideFigures(
        {name: Bootstrap.of(points[place], samples[:, place], units[name == "F1"]) for place, name in enumerate(names)},
        (labels == 1).sum(axis=0),
        (labels == 0).sum(axis=0),
    )


def _prepared(
    sides: FindingSides, labels: Floats, judged: Floats, calls: Floats, measures: Collection[SliceMeasure]
) -> tuple[list[str], Evaluate]:
    """Return the measures' names and a function that maps counts (k, n) to values (k, measures, sides)."""
    kinds: list[tuple[tuple[str, ...], JointEvaluate]] = [(_SUMS, _rates(labels, judged, calls))]
    if not set(RANKING_MEASURES).isdisjoint(measures):
        kinds.append((RANKING_MEASURES, ranking_metrics_of(labels, np.stack(sides.scores, axis=1)[None])))
    if "ECE" in measures:
        kinds.append((("ECE",), _calibration(labels, np.stack(sides.fractions, axis=1))))

    def evaluate(counts: CaseCounts) -> Floats:
        return by_resample(np.concatenate([each(counts)[:, 0] for _, each in kinds]))

    return [name for names, _ in kinds for name in names], CountsMetric(evaluate)


def _rates(labels: Floats, judged: Floats, calls: Floats) -> JointEvaluate:
    """Evaluate prevalence and F1, (2, 1, sides, resamples); F1 needs calls."""
    present, called = judged == 1, calls == 1
    kinds = (labels == 1, ~np.isnan(labels), present, present & called, (judged == 0) & called)
    columns = columns_once(lambda: np.concatenate([each.T for each in kinds]).astype(np.float64))

    def evaluate(counts: CaseCounts) -> Floats:
        sums = columns(counts).reshape(len(kinds), labels.shape[1], -1)
        all_positives, known, positives, hits, false_alarms = sums
        f1 = ratio(2 * hits, (positives + hits + false_alarms) * (positives > 0))
        return np.stack((ratio(all_positives, known), f1))[:, None]

    return evaluate


def _calibration(labels: Floats, fractions: Floats) -> JointEvaluate:
    """Evaluate ECE, (1, 1, sides, resamples); NaN for a side with scores outside [0, 1]."""
    outside = np.asarray(((fractions < 0) | (fractions > 1)).any(axis=0))
    evaluate = calibration_error(labels, np.clip(fractions, 0, 1)[None], _BINS)
    return lambda films: np.where(outside[:, None], np.nan, evaluate(films))
