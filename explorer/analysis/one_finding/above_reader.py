"""How far a model is above a reader on the same films: at the reader's sensitivity or specificity, and in area.

The model's ROC curve is read at the reader's operating point, linear between its corners. Intervals are percentiles of
the leaderboard's resamples of whole patients, in which model and reader are recounted on the same films.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.one_finding.curves import highest_at
from explorer.analysis.one_finding.film_readers import FilmReader, labels_read
from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Counts, Evaluate, Floats
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.metrics import on_original_cases
from explorer.metrics.resamples import resamples_of
from explorer.metrics.sweep import Sweep

FIGURES = 3  # of a reader: specificity, sensitivity, area


@dataclass(frozen=True, slots=True)
class Gap:
    """A model's figure, the reader's, and their difference with its 95 % interval; NaN if undefined."""

    model: float
    reader: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """The model's figure minus the reader's."""
        return self.model - self.reader


@dataclass(frozen=True, slots=True)
class AboveReader:
    """A model compared with a reader, on the `films` with a call, `positives` with the finding.

    `specificity` is compared at the reader's sensitivity, `sensitivity` at the reader's specificity, `area` by the
    reader's ratings on the `rated` films that have one.
    """

    name: str
    films: int
    positives: int
    rated: int
    specificity: Gap
    sensitivity: Gap
    area: Gap

    @property
    def gaps(self) -> tuple[Gap, Gap, Gap]:
        """The three comparisons: specificity, sensitivity, area."""
        return self.specificity, self.sensitivity, self.area


def above_readers(
    one: FindingScores, model: int, readers: Sequence[FilmReader], resamples: int = 0, seed: int = 0
) -> tuple[AboveReader, ...]:
    """Compare the model with index `model` with each reader; without `resamples`, intervals are NaN."""
    if not readers:
        return ()
    evaluate = _both_figures(one, model, readers)
    n = len(one.labels)
    points = on_original_cases(evaluate, n, one.weights).reshape(len(readers), FIGURES, 2)
    ends = np.full((len(readers), FIGURES, 2), np.nan)
    if resamples:
        drawn = resamples_of(n, resamples, seed, one.patients, one.weights)
        samples = drawn.evaluate(evaluate).reshape(resamples, len(readers), FIGURES, 2)
        gaps = samples[..., 0] - samples[..., 1]
        for place, reader in enumerate(readers):
            for figure, read in enumerate((reader.calls, reader.calls, reader.ratings)):
                (units,) = drawn.units_with(~np.isnan(labels_read(one, read))[:, None])
                ends[place, figure] = percentile_interval(gaps[:, place, figure], int(units))
    return tuple(_above(one, *each) for each in zip(readers, points, ends, strict=True))


def _above(one: FindingScores, reader: FilmReader, points: Floats, ends: Floats) -> AboveReader:
    called, rated = labels_read(one, reader.calls), labels_read(one, reader.ratings)
    gaps = (Gap(*point, *end) for point, end in zip(points.tolist(), ends.tolist(), strict=True))
    counted = int((~np.isnan(called)).sum()), int((called == 1).sum()), int((~np.isnan(rated)).sum())
    return AboveReader(reader.name, *counted, *gaps)


def _both_figures(one: FindingScores, model: int, readers: Sequence[FilmReader]) -> Evaluate:
    """Return a function that evaluates model and reader, flattened (readers * FIGURES * 2)."""
    scores = one.scores[model]
    prepared = []
    for reader in readers:
        called, rated = labels_read(one, reader.calls), labels_read(one, reader.ratings)
        sweeps = Sweep.of(called, scores), Sweep.of(rated, scores), Sweep.of(rated, reader.ratings)
        prepared.append((called, reader.calls == 1, *sweeps))

    def evaluate(counts: Counts) -> Floats:
        values = np.full((len(counts), len(readers), FIGURES, 2), np.nan)
        for place, (labels, calls, by_calls, by_ratings, ratings) in enumerate(prepared):
            values[:, place, :2] = _at_the_readers_point(labels, calls, by_calls, counts)
            values[:, place, 2, 0] = _areas(by_ratings, counts)
            values[:, place, 2, 1] = _areas(ratings, counts)
        return values.reshape(len(counts), -1)

    return evaluate


def _at_the_readers_point(labels: Floats, calls: NDArray[np.bool_], sweep: Sweep, counts: Counts) -> Floats:
    """Return specificity and sensitivity of model and reader (k, 2, 2), NaN where a class is missing."""
    found = np.full((len(counts), 2, 2), np.nan)
    positive, negative = labels == 1, labels == 0
    totals = counts[:, positive].sum(1), counts[:, negative].sum(1)
    right = counts[:, positive & calls].sum(1), counts[:, negative & ~calls].sum(1)
    if not len(sweep.ends):
        return found
    for place, (hits, false_alarms) in enumerate(zip(*sweep.called(counts), strict=True)):
        if hits[-1] > 0 and false_alarms[-1] > 0:
            sensitivity, specificity = right[0][place] / totals[0][place], right[1][place] / totals[1][place]
            caught, spared = hits / hits[-1], 1 - false_alarms / false_alarms[-1]
            missed = np.append((1 - caught)[::-1], 1.0)  # rising; at threshold infinity everything is missed
            rising = np.append(spared[::-1], 1.0)
            found[place, 0] = highest_at(missed, rising, np.array([1 - sensitivity]))[0], specificity
            alarms = np.append(0.0, 1 - spared)
            found[place, 1] = highest_at(alarms, np.append(0.0, caught), np.array([1 - specificity]))[0], sensitivity
    return found


def _areas(sweep: Sweep, counts: Counts) -> Floats:
    """Return AUROC (k,) with ties counted as half; NaN where a class is missing."""
    if not len(sweep.ends):
        return np.full(len(counts), np.nan)
    hits, false_alarms = (np.pad(each, ((0, 0), (1, 0))) for each in sweep.called(counts))
    area = ((hits[:, 1:] + hits[:, :-1]) / 2 * np.diff(false_alarms, axis=1)).sum(1)
    whole = hits[:, -1] * false_alarms[:, -1]
    found: Floats = np.divide(area, whole, out=np.full(len(counts), np.nan), where=whole > 0)
    return found
