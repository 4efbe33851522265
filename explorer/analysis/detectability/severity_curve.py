"""How a model's score rises with the severity of an inserted finding, and from where on it is flagged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.detectability.flagged import flagged
from explorer.analysis.detectability.trials import Trials
from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.core.rates import Rate

QUARTILES = (0.25, 0.5, 0.75)
_HALF, _RESAMPLES, _SEED = 0.5, 1000, 0
_INTERVAL = (0.025, 0.975)
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class SeverityCurve:
    """A finding's curve at `severities` (k,): quartiles of the films' scores, and the share flagged.

    A film's score is the mean over its places. `half` is the severity from which on half of the findings are flagged;
    infinite if never, also as the end of its interval, which resamples patients.
    """

    finding: str
    severities: tuple[float, ...]
    scores: Floats  # (k, 3) quartiles over films
    without: Floats  # (3,) quartiles of the same films without the finding
    threshold: float
    shares: tuple[Rate, ...]
    half: Estimate


def severity_curve(trials: Trials, finding: str) -> SeverityCurve:
    """Return the curve of a finding over all its severities."""
    severities = trials.severities(finding)
    by_severity = [trials.about(finding, severity) for severity in severities]
    every = trials.about(finding)
    return SeverityCurve(
        finding,
        severities,
        np.stack([_quartiles(each.film, each.score) for each in by_severity]),
        _quartiles(every.film, every.without),
        float(trials.thresholds[trials.findings.index(finding)]),
        tuple(flagged(each).inserted for each in by_severity),
        _half_flagged(by_severity, severities),
    )


def half_severity(severities: Sequence[float], shares: Floats) -> Floats:
    """Return from which severity on the shares (m, k) stay at a half or above, by straight lines between; (m,).

    Infinite where the last share is below a half, the lowest severity where none is.
    """
    above = shares >= _HALF - _CLOSE
    stays = np.logical_and.accumulate(above[:, ::-1], axis=1)[:, ::-1]
    first = np.where(stays.any(axis=1), stays.argmax(axis=1), len(severities))
    found = np.full(len(shares), np.inf)
    for row, place in enumerate(first.tolist()):
        if place == 0:
            found[row] = severities[0]
        elif place < len(severities):
            low, high = shares[row, place - 1], shares[row, place]
            start, end = severities[place - 1], severities[place]
            found[row] = start + (_HALF - low) / (high - low) * (end - start)
    return found


def _quartiles(film: NDArray[np.int64], score: Floats) -> Floats:
    films, number = np.unique(film, return_inverse=True)
    means = np.bincount(number, score, len(films)) / np.bincount(number)
    return np.quantile(means, QUARTILES)


def _half_flagged(by_severity: Sequence[Trials], severities: Sequence[float]) -> Estimate:
    patients = by_severity[0].patients
    names, number = np.unique(patients, return_inverse=True)
    hits, tried = np.zeros((2, len(names), len(severities)))
    for place, each in enumerate(by_severity):
        own = number[each.film]
        hits[:, place] = np.bincount(own, each.flagged, len(names))
        tried[:, place] = np.bincount(own, minlength=len(names))
    there = tried.any(axis=1)
    hits, tried = hits[there], tried[there]
    count = len(hits)
    drawn = np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), _RESAMPLES)
    weights = np.concatenate([np.ones((1, count)), drawn])
    total = weights @ tried
    shares = np.divide(weights @ hits, total, out=np.zeros(total.shape), where=total > 0)
    value, *resampled = half_severity(severities, shares)
    low, high = np.quantile(resampled, _INTERVAL, method="nearest")
    return Estimate(float(value), float(low), float(high))
