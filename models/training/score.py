"""How good out-of-fold scores are: pairs within a folder, intervals over patients, operating points, Platt scaling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from models.statistics import resampled

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class CountedEstimate:
    """A figure, its 95 % interval over resampled patients, and what it was counted on; NaN where it is undefined."""

    value: float
    low: float
    high: float
    positives: int
    negatives: int


def pair_auroc(labels: Floats, scores: Floats, folders: NDArray[np.generic]) -> float:
    """Share of (present, absent) pairs of films from one folder ranked rightly, ties half; NaN where there is no pair.

    All arguments are (n,). A folder's sharpness or sampling cannot help to rank its films.
    """
    right = pairs = 0.0
    for folder in np.unique(folders):
        present = labels[folders == folder] > 0.5
        ranks = rankdata(scores[folders == folder])
        positives, negatives = int(present.sum()), int((~present).sum())
        right += float(ranks[present].sum()) - positives * (positives + 1) / 2
        pairs += positives * negatives
    return right / pairs if pairs else float("nan")


def macro_auroc(labels: Floats, scores: Floats, folders: NDArray[np.str_], least: int) -> tuple[float, int]:
    """Mean pair AUROC over findings with `least` positives or more, and how many they are; arrays (n, findings)."""
    each = [
        pair_auroc(labels[:, k], scores[:, k], folders) for k in range(labels.shape[1]) if labels[:, k].sum() >= least
    ]
    defined = [value for value in each if not np.isnan(value)]
    return (float(np.mean(defined)) if defined else float("nan")), len(defined)


def auroc_estimates(
    labels: Floats,
    scores: Floats,
    folders: NDArray[np.str_],
    patients: NDArray[np.str_],
    least: int,
    resamples: int = 1000,
) -> tuple[list[CountedEstimate], CountedEstimate]:
    """Pair AUROC of every finding, and their mean over findings with `least` positives; labels (n, findings)."""
    counts = labels.sum(0).astype(int)
    counted = counts >= least

    def each(rows: NDArray[np.intp] | slice) -> list[float]:
        return [pair_auroc(labels[rows, k], scores[rows, k], folders[rows]) for k in range(labels.shape[1])]

    point = np.array(each(slice(None)))
    samples = np.array([each(rows) for rows in resampled(patients, resamples)])
    findings = [
        _estimate(point[k], samples[:, k], int(counts[k]), len(labels) - int(counts[k])) for k in range(len(counts))
    ]
    # A mean over fewer findings is another figure: samples in which one has no pair are left out, here and above.
    macro = _estimate(point[counted].mean(), samples[:, counted].mean(1), int(counts[counted].sum()), 0)
    return findings, macro


def phrase_estimates(
    labels: Floats,
    scores: Floats,
    of: NDArray[np.int64],
    folders: NDArray[np.generic],
    patients: NDArray[np.str_],
    least: int,
    resamples: int = 1000,
) -> tuple[dict[int, CountedEstimate], CountedEstimate]:
    """As `auroc_estimates` where several columns of `scores` (n, m) are of one finding, `of` (m,): their mean.

    By finding, and the mean over findings with `least` positives.
    """
    findings = np.unique(of)
    folders = np.unique(folders, return_inverse=True)[1]  # numbers compare faster than words
    counts = {int(k): int(labels[:, k].sum()) for k in findings}
    counted = np.array([counts[int(k)] >= least for k in findings])

    def each(rows: NDArray[np.intp] | slice) -> list[float]:
        found = np.array([pair_auroc(labels[rows, k], scores[rows, m], folders[rows]) for m, k in enumerate(of)])
        return [float(found[of == k].mean()) for k in findings]

    point = np.array(each(slice(None)))
    samples = np.array([each(rows) for rows in resampled(patients, resamples)])
    estimates = {
        int(k): _estimate(point[place], samples[:, place], counts[int(k)], len(labels) - counts[int(k)])
        for place, k in enumerate(findings)
    }
    positives = sum(count for count in counts.values() if count >= least)
    return estimates, _estimate(point[counted].mean(), samples[:, counted].mean(1), positives, 0)


def _estimate(point: float, samples: NDArray[np.float64], positives: int, negatives: int) -> CountedEstimate:
    defined = samples[~np.isnan(samples)]
    low, high = np.quantile(defined, [0.025, 0.975]) if len(defined) else (np.nan, np.nan)
    return CountedEstimate(float(point), float(low), float(high), positives, negatives)
