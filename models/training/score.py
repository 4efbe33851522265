"""How good out-of-fold scores are: pairs within a folder, intervals over patients, operating points, Platt scaling."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32
from models.statistics import resampled
from models.training.ranked_pairs import RankedPairs


@dataclass(frozen=True, slots=True)
class CountedEstimate:
    """A figure, its 95 % interval over resampled patients, and what it was counted on; NaN where it is undefined."""

    value: float
    low: float
    high: float
    positives: int
    negatives: int


def pair_auroc(labels: Float32, scores: Float32, folders: NDArray[np.generic]) -> float:
    """Share of (present, absent) pairs of films from one folder ranked rightly, ties half; NaN where there is no pair.

    All arguments are (n,). A folder's sharpness or sampling cannot help to rank its films.
    """
    return float(RankedPairs(labels[:, None], scores[:, None], folders).auroc()[0])


def macro_auroc(labels: Float32, scores: Float32, folders: NDArray[np.str_], least: int) -> tuple[float, int]:
    """Mean pair AUROC over findings with `least` positives or more, and how many they are; arrays (n, findings)."""
    each = [
        pair_auroc(labels[:, k], scores[:, k], folders) for k in range(labels.shape[1]) if labels[:, k].sum() >= least
    ]
    defined = [value for value in each if not np.isnan(value)]
    return (float(np.mean(defined)) if defined else float("nan")), len(defined)


def auroc_estimates(
    labels: Float32,
    scores: Float32,
    folders: NDArray[np.str_],
    patients: NDArray[np.str_],
    least: int,
    resamples: int = 1000,
) -> tuple[list[CountedEstimate], CountedEstimate]:
    """Pair AUROC of every finding, and their mean over findings with `least` positives; labels (n, findings)."""
    counts = labels.sum(0).astype(int)
    counted = counts >= least
    pairs = RankedPairs(labels, scores, folders)
    point = pairs.auroc()
    samples = np.array([pairs.auroc(rows) for rows in resampled(patients, resamples)])
    findings = [
        _estimate(point[k], samples[:, k], int(counts[k]), len(labels) - int(counts[k])) for k in range(len(counts))
    ]
    # A mean over fewer findings is another figure: samples in which one has no pair are left out, here and above.
    macro = _estimate(point[counted].mean(), samples[:, counted].mean(1), int(counts[counted].sum()), 0)
    return findings, macro


def phrase_estimates(
    labels: Float32,
    scores: Float32,
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
    counts = {int(k): int(labels[:, k].sum()) for k in findings}
    counted = np.array([counts[int(k)] >= least for k in findings])

    pairs = RankedPairs(labels[:, of], scores, folders)

    def each(rows: NDArray[np.intp] | None = None) -> list[float]:
        found = pairs.auroc(rows)
        return [float(found[of == k].mean()) for k in findings]

    point = np.array(each())
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
