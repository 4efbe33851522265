"""Scores out-of-fold results: AUROC of pairs within a folder, with patient-level intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32
from models.statistics import patient_resamples
from models.training.ranked_pairs import RankedPairs


@dataclass(frozen=True, slots=True)
class CountedEstimate:
    """An estimate with its 95 % interval over resampled patients and the counts behind it; NaN if undefined."""

    value: float
    low: float
    high: float
    positives: int
    negatives: int


def pair_auroc(labels: Float32, scores: Float32, folders: NDArray[np.generic]) -> float:
    """Return the share of (present, absent) pairs from one folder ranked correctly, ties half; NaN without a pair.

    All arguments are (n,). Pairing within folders keeps a folder's sharpness or sampling from affecting the ranking.
    """
    return float(RankedPairs(labels[:, None], scores[:, None], folders).auroc()[0])


def macro_auroc(labels: Float32, scores: Float32, folders: NDArray[np.str_], least: int) -> tuple[float, int]:
    """Return mean pair AUROC over findings with at least `least` positives, and their number; arrays (n, findings)."""
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
    """Return pair AUROC per finding, and their mean over findings with `least` positives; labels (n, findings)."""
    counts = labels.sum(0).astype(int)
    counted = counts >= least
    pairs = RankedPairs(labels, scores, folders)
    point = pairs.auroc()
    samples = np.array([pairs.auroc(rows) for rows in patient_resamples(patients, resamples)])
    findings = [
        _estimate(point[k], samples[:, k], int(counts[k]), len(labels) - int(counts[k])) for k in range(len(counts))
    ]
    # The mean is over a fixed set of findings, so samples in which one has no pair are left out.
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
    """Return `auroc_estimates`, averaged by finding, for columns of `scores` (n, m) that rank the findings `of` (m,).

    Returns estimates by finding, and the mean over findings with `least` positives.
    """
    findings = np.unique(of)
    counts = {int(k): int(labels[:, k].sum()) for k in findings}
    counted = np.array([counts[int(k)] >= least for k in findings])

    pairs = RankedPairs(labels[:, of], scores, folders)

    def each(rows: NDArray[np.intp] | None = None) -> list[float]:
        found = pairs.auroc(rows)
        return [float(found[of == k].mean()) for k in findings]

    point = np.array(each())
    samples = np.array([each(rows) for rows in patient_resamples(patients, resamples)])
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
