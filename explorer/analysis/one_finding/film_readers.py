"""What readers said about one finding on the compared films: calls, which are points, and ratings, which are curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.one_finding.curves import ModelCurves, curves_of
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark, mark_of_calls
from explorer.cohorts.layout import Folder
from explorer.cohorts.reader_ratings import read_ratings
from explorer.core.arrays import Floats
from explorer.core.figures import lacking_class
from explorer.metrics.sweep import Sweep


@dataclass(frozen=True, slots=True, eq=False)
class FilmReader:
    """A reader of the compared films (n,): calls are 1, 0 or NaN, ratings higher if likelier, NaN if there is none."""

    name: str
    calls: Floats
    ratings: Floats

    def mark(self, one: FindingScores) -> OperatingMark | None:
        """Return the point of the calls; None without a call on a labeled film."""
        mark = mark_of_calls(one, self.name, self.calls)
        return mark if mark.point.sensitivity.n + mark.point.specificity.n else None

    def curves(self, one: FindingScores) -> ModelCurves | None:
        """Return the curves of the ratings; None if they do not cover films with the finding and without."""
        labels = labels_read(one, self.ratings)
        if lacking_class(int((labels == 1).sum()), int((labels == 0).sum())):
            return None
        weights = np.ones(len(labels)) if one.weights is None else one.weights
        return curves_of(Sweep.of(labels, self.ratings), weights[None])


def labels_read(one: FindingScores, read: Floats) -> Floats:
    """Return the labels (n,) of the films with a value in `read` (n,); NaN for the others."""
    return np.where(np.isnan(read), np.nan, one.labels)


def film_reader(
    name: str, cases: Sequence[str], calls: Mapping[str, float], ratings: Mapping[str, float]
) -> FilmReader:
    """Return a reader of the compared cases (n,), from calls (1 or 0) and ratings by case name."""
    return FilmReader(name, *(np.array([each.get(case, np.nan) for case in cases]) for each in (calls, ratings)))


def cohort_readers(folder: Folder, finding: str, cases: Sequence[str]) -> Iterator[FilmReader]:
    """Yield the imported readers who read any of the compared cases (n,). Raises DamagedCohort."""
    place = {case: number for number, case in enumerate(cases)}
    for name, rows in read_ratings(folder, finding):
        readers = np.array(rows["reader"].to_pylist(), dtype=object)
        films = np.array([place.get(case, -1) for case in rows["case"].to_pylist()], dtype=np.int64)
        values = [np.array(rows[column].to_pylist(), dtype=np.float64) for column in ("call", "rating")]
        for reader in dict.fromkeys(readers.tolist()):
            here = (readers == reader) & (films >= 0)
            if here.any():
                yield FilmReader(f"{reader}, {name}", *(_at(films[here], each[here], len(cases)) for each in values))


def _at(films: NDArray[np.int64], values: Floats, n: int) -> Floats:
    found = np.full(n, np.nan)
    found[films] = values
    return found
