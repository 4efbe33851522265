"""Every measure of a finding on each of several sides, all from one pass over the same resamples of patients."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.two_sides import MEASURES, OF_PREVALENCE, Difference, Measured, Sides
from explorer.core.arrays import Counts, Evaluate, Floats, ratio
from explorer.metrics.bootstrap import ROUNDING, Bootstrap
from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.joint_calibration import calibration_error
from explorer.metrics.joint_ranking import JointEvaluate, by_resample, ranked
from explorer.metrics.paired_rows import two_sided_p
from explorer.metrics.resamples import resamples_of

_BINS = 15  # of ECE, as everywhere here
_SUMS = ("prevalence", "sensitivity", "specificity", "F1")  # what follows from sums over films
_RANKED: tuple[Measured, ...] = ("average precision", "AUROC")


@dataclass(frozen=True, slots=True, eq=False)
class SideFigures:
    """A bootstrap of each measure, and of the prevalence, with a column for each side."""

    measures: Mapping[str, Bootstrap]
    positives: NDArray[np.int64]  # (sides,) films
    negatives: NDArray[np.int64]

    def difference(self, measure: Measured, one: int = 0, other: int = 1) -> Difference:
        """One side minus the other."""
        less = self._less(measure, one, other)
        value, low, high = (float(each[0]) for each in (less.point, less.low, less.high))
        undefined = int(less.undefined[0])
        if np.isnan(value):
            return Difference(None, undefined=undefined)
        known = low < high
        p = two_sided_p(less.samples[:, 0], self._fewest(measure, one, other)) if known else None
        return Difference(
            value,
            (low, high) if known else None,
            undefined,
            measure in OF_PREVALENCE and self.other_prevalence(one, other),
            p,
        )

    def other_prevalence(self, one: int = 0, other: int = 1) -> bool:
        """Whether the interval of the difference of the prevalences leaves 0 out."""
        less = self._less("prevalence", one, other)
        return bool(less.low[0] > ROUNDING or less.high[0] < -ROUNDING)

    def _less(self, name: str, one: int, other: int) -> Bootstrap:
        both = self.measures[name]
        point, samples = both.point[[one]] - both.point[[other]], both.samples[:, [one]] - both.samples[:, [other]]
        return Bootstrap.of(point, samples, both.units[[one, other]].min(keepdims=True))

    def _fewest(self, measure: Measured, one: int, other: int) -> int:
        """The films, on the side that has fewer, of the kind that decides how much the measure varies."""
        kinds = {"sensitivity": (self.positives,), "specificity": (self.negatives,)}
        these = kinds.get(measure, (self.positives, self.negatives))
        return min(int(films[[one, other]].min()) for films in these)


def side_figures(sides: Sides, resamples: int, seed: int, measures: Collection[Measured] = MEASURES) -> SideFigures:
    """The measures asked for, and what comes with them, as `bootstrap` draws them: whole patients."""
    labels, calls = np.stack(sides.labels, axis=1), np.stack(sides.calls, axis=1)
    judged = np.where(np.isnan(calls), np.nan, labels)
    names, evaluate = _prepared(sides, labels, judged, calls, measures)
    drawn = resamples_of(len(labels), resamples, seed, sides.units, None)
    points = evaluate(np.ones((1, len(labels)), dtype=np.int64))[0]
    samples = drawn.evaluate(evaluate)
    units = {True: drawn.units_with(~np.isnan(judged)), False: drawn.units_with(~np.isnan(labels))}
    of_calls = ("sensitivity", "specificity", "F1")
    return SideFigures(
        {
            name: Bootstrap.of(points[place], samples[:, place], units[name in of_calls])
            for place, name in enumerate(names)
        },
        (labels == 1).sum(axis=0),
        (labels == 0).sum(axis=0),
    )


def _prepared(
    sides: Sides, labels: Floats, judged: Floats, calls: Floats, measures: Collection[Measured]
) -> tuple[list[str], Evaluate]:
    """What is measured, and what answers counts (k, n) with (k, measured, sides)."""
    kinds: list[tuple[tuple[str, ...], JointEvaluate]] = [(_SUMS, _rates(labels, judged, calls))]
    if not set(_RANKED).isdisjoint(measures):
        kinds.append((_RANKED, ranked(labels, np.stack(sides.scores, axis=1)[None])))
    if "ECE" in measures:
        kinds.append((("ECE",), _calibration(labels, np.stack(sides.fractions, axis=1))))

    def evaluate(counts: Counts) -> Floats:
        films = CaseCounts.of(counts)
        return by_resample(np.concatenate([each(films)[:, 0] for _, each in kinds]))

    return [name for names, _ in kinds for name in names], evaluate


def _rates(labels: Floats, judged: Floats, calls: Floats) -> JointEvaluate:
    """Prevalence, sensitivity, specificity and F1 (4, 1, sides, resamples); the last three of films with a call."""
    present, absent = judged == 1, judged == 0
    kinds = (labels == 1, ~np.isnan(labels), present, absent, present & (calls == 1), absent & (calls == 1))
    columns = np.concatenate([each.T for each in kinds]).astype(np.float64)

    def evaluate(counts: CaseCounts) -> Floats:
        sums = (columns @ counts.floats).reshape(len(kinds), labels.shape[1], -1)
        all_positives, known, positives, negatives, hits, false_alarms = sums
        f1 = ratio(2 * hits, (positives + hits + false_alarms) * (positives > 0))
        rates = (ratio(all_positives, known), ratio(hits, positives), ratio(negatives - false_alarms, negatives), f1)
        return np.stack(rates)[:, None]

    return evaluate


def _calibration(labels: Floats, fractions: Floats) -> JointEvaluate:
    """ECE (1, 1, sides, resamples); NaN of a side whose scores cannot be set beside rates."""
    outside = np.asarray(((fractions < 0) | (fractions > 1)).any(axis=0))
    evaluate = calibration_error(labels, np.clip(fractions, 0, 1)[None], _BINS)
    return lambda films: np.where(outside[:, None], np.nan, evaluate(films))
