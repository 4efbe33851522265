"""How good out-of-fold scores are: pairs within a folder, intervals over patients, operating points, Platt scaling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import rankdata

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Estimate:
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


def resampled(patients: NDArray[np.str_], resamples: int, seed: int = 0) -> Iterator[NDArray[np.intp]]:
    """Rows of bootstrap samples that draw whole patients."""
    names, codes = np.unique(patients, return_inverse=True)
    rows = [np.flatnonzero(codes == code) for code in range(len(names))]
    for resample in range(resamples):
        drawn = np.random.default_rng([seed, resample]).integers(0, len(names), len(names))
        yield np.concatenate([rows[code] for code in drawn])


def auroc_estimates(
    labels: Floats,
    scores: Floats,
    folders: NDArray[np.str_],
    patients: NDArray[np.str_],
    least: int,
    resamples: int = 1000,
) -> tuple[list[Estimate], Estimate]:
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
) -> tuple[dict[int, Estimate], Estimate]:
    """As `auroc_estimates` where several columns of `scores` (n, m) are of one finding, `of` (m,): their mean.

    By finding, and the mean over findings with `least` positives.
    """
    findings = np.unique(of)
    folders = np.unique(folders, return_inverse=True)[1]  # numbers are quicker told apart than words
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


def _estimate(point: float, samples: NDArray[np.float64], positives: int, negatives: int) -> Estimate:
    defined = samples[~np.isnan(samples)]
    low, high = np.quantile(defined, [0.025, 0.975]) if len(defined) else (np.nan, np.nan)
    return Estimate(float(point), float(low), float(high), positives, negatives)


def youden(present: Bools, scores: NDArray[np.floating]) -> float:
    """The threshold with the largest sensitivity + specificity, halfway to the next lower score (Youden, 1950)."""
    values = np.unique(scores)
    cuts = (values[1:] + values[:-1]) / 2
    sensitivity = 1 - np.searchsorted(np.sort(scores[present]), cuts) / present.sum()
    specificity = np.searchsorted(np.sort(scores[~present]), cuts) / (~present).sum()
    return float(cuts[np.argmax(sensitivity + specificity)])


def unsure_band(present: Bools, scores: Floats, threshold: float) -> tuple[float, float] | None:
    """Cuts of 90 % sensitivity and of 90 % specificity, each halfway to the next score; scores lie in (0, 1).

    The first is the highest that still finds nine of ten positives, the second the lowest that leaves nine of ten
    negatives below. They are widened to hold `threshold`; None where the first reaches the second.
    """
    values = np.unique(np.concatenate([[0.0], scores, [1.0]]))
    positives, negatives = np.sort(scores[present]), np.sort(scores[~present])
    found = np.searchsorted(values, positives[len(positives) // 10])
    left = np.searchsorted(values, negatives[-1 - len(negatives) // 10])
    low, high = float(values[found - 1 : found + 1].mean()), float(values[left : left + 2].mean())
    return None if low >= high else (min(low, threshold), max(high, threshold))


def platt(present: Bools, logits: Floats) -> tuple[float, float]:
    """Slope and intercept of sigmoid(slope * logit + intercept), smoothed targets (Platt, 1999)."""
    positives, negatives = int(present.sum()), int((~present).sum())
    target = np.where(present, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    x = logits.astype(np.float64)

    def loss(parameters: NDArray[np.float64]) -> float:
        z = parameters[0] * x + parameters[1]
        return float(np.sum(np.logaddexp(0, z) - target * z))

    slope, intercept = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B").x
    return float(slope), float(intercept)
