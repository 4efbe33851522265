"""One finding on two sets of films, which may have films and patients in common: the difference of each measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.metrics.bootstrap import ROUNDING, Bootstrap, bootstrap
from explorer.metrics.metrics import auroc, average_precision, ece, f1, precision, sensitivity, specificity
from explorer.metrics.patient_ids import numbered

if TYPE_CHECKING:
    from explorer.store.results import Column

Measured = Literal["sensitivity", "specificity", "F1", "average precision", "AUROC", "ECE"]
MEASURES: tuple[Measured, ...] = get_args(Measured)
BETWEEN_CENTERS: tuple[Measured, ...] = (
    "sensitivity",
    "specificity",
    "average precision",
    "AUROC",
)  # of a table's cell
OF_SCORES: tuple[Measured, ...] = ("average precision", "AUROC", "ECE")  # without a threshold, from a bootstrap alone
OF_PREVALENCE: tuple[Measured, ...] = ("F1", "average precision", "ECE")  # follow it while the model stays the same
_METRICS = {
    "sensitivity": sensitivity,
    "specificity": specificity,
    "F1": f1,
    "average precision": average_precision,
    "AUROC": auroc,
    "ECE": ece,
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One minus the other; the interval from the same resamples of patients on both sides.

    `undefined` resamples had one class only on a side and are left out. There is no interval where all others are the
    same: few films look like certainty. `other_prevalence`: it is of a measure that follows the prevalence, and the
    95 % interval of the difference of the two prevalences leaves 0 out. The films, not the model, may then make the
    difference.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    undefined: int = 0
    other_prevalence: bool = False

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside the interval; an end that is 0 does not leave it out."""
        return self.interval is not None and _excludes_zero(*self.interval)

    @property
    def marked(self) -> bool:
        """Whether the two sides differ by more than chance, and can be compared."""
        return self.excludes_zero and not self.other_prevalence


def difference_of(one: float | None, other: float | None) -> Difference:
    """One minus the other, without an interval."""
    return Difference(None if one is None or other is None else one - other)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """One finding on the films of either population (n,): a side's label is NaN where the film is not in it.

    `scales` turn margins into scores from 0 to 1, which ECE is of; None: they are scores.
    """

    labels: tuple[NDArray[np.float64], NDArray[np.float64]]
    scores: tuple[NDArray[np.float64], NDArray[np.float64]]
    calls: tuple[NDArray[np.float64], NDArray[np.float64]]  # 1 called, 0 not, NaN without a threshold
    units: NDArray[np.int64]
    scales: tuple[float | None, float | None] = (None, None)

    @classmethod
    def of(
        cls,
        one: Column,
        other: Column,
        same_cohort: bool,
        scales: tuple[float | None, float | None] = (None, None),
    ) -> Sides:
        """Align the two by their cases; those of two cohorts have nothing in common."""
        apart = 0 if same_cohort else int(one.case.max(initial=-1)) + 1
        keys = np.concatenate([one.case, other.case + apart])
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        # Patient 1 of one cohort is not that of the other.
        cohorts = np.repeat([0, 0 if same_cohort else 1], [len(one.case), len(other.case)])
        patients = [*one.patient, *other.patient]
        units = numbered([patients[film] for film in first], cohorts[first].tolist())
        where = np.split(place, [len(one.case)])
        return cls(
            _spread(len(first), where, [one.label, other.label]),
            _spread(len(first), where, [one.score, other.score], missing=0.0),
            _spread(len(first), where, [_calls(one), _calls(other)]),
            units,
            scales,
        )

    def bootstrap(self, measure: Measured, resamples: int, seed: int) -> Bootstrap:
        """The measure on both sides, as two findings are: on the same resamples."""
        labels = np.stack(self.labels, axis=1)
        if measure in OF_SCORES:
            scores = np.stack(self._rates() if measure == "ECE" else self.scores, axis=1)
            return bootstrap(labels, scores, _METRICS[measure], resamples, seed, self.units)
        calls = np.stack(self.calls, axis=1)
        known = np.where(np.isnan(calls), np.nan, labels)
        return bootstrap(known, np.nan_to_num(calls), _METRICS[measure], resamples, seed, self.units)

    def _rates(self) -> list[NDArray[np.float64]]:
        """The scores of each side, from 0 to 1."""
        return [
            scores if scale is None else expit(scale * scores)
            for scores, scale in zip(self.scores, self.scales, strict=True)
        ]

    def other_prevalence(self, resamples: int, seed: int) -> bool:
        """Whether the interval of the difference of the prevalences leaves 0 out, on the same resamples."""
        labels = np.stack(self.labels, axis=1)
        everything = np.ones_like(labels)  # the precision of calling every film is the prevalence
        less = _less(bootstrap(labels, everything, precision, resamples, seed, self.units))
        return _excludes_zero(float(less.low[0]), float(less.high[0]))

    def difference(self, measure: Measured, both: Bootstrap, resamples: int, seed: int) -> Difference:
        """One minus the other out of the measure on `both` sides."""
        less = _less(both)
        value, low, high = (float(each[0]) for each in (less.point, less.low, less.high))
        if np.isnan(value):
            return Difference(None, undefined=int(less.undefined[0]))
        other = measure in OF_PREVALENCE and self.other_prevalence(resamples, seed)
        return Difference(value, (low, high) if low < high else None, int(less.undefined[0]), other)


def _less(both: Bootstrap) -> Bootstrap:
    samples = both.samples[:, :1] - both.samples[:, 1:]
    return Bootstrap.of(both.point[:1] - both.point[1:], samples, both.units.min(keepdims=True))


def _excludes_zero(low: float, high: float) -> bool:
    return low > ROUNDING or high < -ROUNDING


def _calls(column: Column) -> NDArray[np.float64]:
    return np.where(np.isnan(column.threshold), np.nan, column.score >= column.threshold)


def _spread(
    n: int, places: Sequence[NDArray[np.intp]], columns: Sequence[NDArray[np.floating]], missing: float = np.nan
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both columns over the films of either side (n,), `missing` where a side has no such film."""
    one, other = (np.full(n, missing) for _ in columns)
    one[places[0]], other[places[1]] = columns
    return one, other
