"""Clusters of films by numbers of each: a mixture of Gaussians that may also look at how the films are read.

The mixture of Domino (Eyuboglu et al., Domino: Discovering Systematic Errors with Cross-Modal Embeddings, ICLR 2022): a
cluster has a place among the vectors, a share of films with the finding and a share of films called, so that films that
are near one another and misread alike come together. It is fitted on the half of the patients on which slices are
looked for. Unlike in Domino, a film's cluster follows from its vector alone: none is in one for being misread.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from explorer.core.arrays import Floats

CLUSTERS = 25  # at most: as many as Domino's program makes
FILMS_EACH = 30  # fitted films to a cluster, at least on average
ERRORS_WEIGH = 10.0  # label and call against the vector
DIMENSIONS = 32  # principal components that are kept
_ROUNDS, _SETTLED = 100, 1e-4  # of expectation and maximization; gain of the mean log likelihood
_LEAST_VARIANCE, _LEAST_SHARE = 1e-3, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """The cluster of each film (n,), and how certainly it is of that one (n,)."""

    number: NDArray[np.int64]
    certainty: Floats


def clusters(
    points: Floats, present: Floats, called: Floats, fitted: NDArray[np.bool_], *, weigh: float = ERRORS_WEIGH
) -> Clusters:
    """Clusters of films with points (n, d), fitted on some of them (n,); `weigh` is 0 where reading plays no part.

    Without enough films to fit on, all films are of one cluster.
    """
    count = min(CLUSTERS, int(fitted.sum()) // FILMS_EACH)
    if count < 2:
        return Clusters(np.zeros(len(points), dtype=np.int64), np.ones(len(points)))
    read = np.stack([present, called], axis=1)
    fit = _fit(points[fitted], read[fitted], count, weigh)
    of_each = _log_places(points, *fit)
    certainty = np.exp(of_each - logsumexp(of_each, axis=1, keepdims=True))
    number = np.asarray(certainty.argmax(axis=1), dtype=np.int64)
    return Clusters(number, certainty[np.arange(len(number)), number])


def reduced(vectors: Floats) -> Floats:
    """The first principal components (n, at most DIMENSIONS) of vectors (n, d), the first one of unit variance.

    Rounded, so that the last digits of a matrix product, which are the machine's, decide nothing.
    """
    apart = vectors - vectors.mean(axis=0)
    _, strength, axes = np.linalg.svd(apart, full_matrices=False)
    axes = axes[:DIMENSIONS][strength[:DIMENSIONS] > 1e-9 * strength[:1].sum()]
    axes = axes * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    points = apart @ axes.T
    scale = float(points[:, 0].std()) if points.shape[1] else 1.0
    rounded: Floats = np.round(points / (scale or 1.0), 4)
    return rounded


def _fit(points: Floats, read: Floats, count: int, weigh: float) -> tuple[Floats, Floats, Floats]:
    """Shares (k,), means (k, d) and variances (k, d) after expectation and maximization."""
    share = _first_shares(points, count)
    before = -np.inf
    for _ in range(_ROUNDS):
        weight, mean, variance, odds = _maximized(points, read, share)
        of_each = _log_places(points, weight, mean, variance) + weigh * (
            read @ np.log(odds).T + (1 - read) @ np.log(1 - odds).T
        )
        total = logsumexp(of_each, axis=1, keepdims=True)
        share = np.exp(of_each - total)
        now = float(total.mean())
        if now - before < _SETTLED:
            break
        before = now
    return weight, mean, variance


def _first_shares(points: Floats, count: int) -> Floats:
    """Each point to the nearest of seeds that lie far apart (k-means++; Arthur and Vassilvitskii, 2007)."""
    dice = np.random.default_rng(0)
    seeds = [int(dice.integers(len(points)))]
    apart = ((points - points[seeds[0]]) ** 2).sum(axis=1)
    while len(seeds) < count:
        chance = apart / apart.sum() if apart.sum() > 0 else np.full(len(points), 1 / len(points))
        seeds.append(int(dice.choice(len(points), p=chance)))
        apart = np.minimum(apart, ((points - points[seeds[-1]]) ** 2).sum(axis=1))
    nearest = ((points[:, None] - points[seeds][None]) ** 2).sum(axis=2).argmin(axis=1)
    return np.asarray(nearest[:, None] == np.arange(count), dtype=np.float64)


def _maximized(points: Floats, read: Floats, share: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    n = share.sum(axis=0) + 1e-9
    mean = share.T @ points / n[:, None]
    variance = np.maximum(share.T @ points**2 / n[:, None] - mean**2, _LEAST_VARIANCE)
    odds = np.clip(share.T @ read / n[:, None], _LEAST_SHARE, 1 - _LEAST_SHARE)
    return n / n.sum(), mean, variance, odds


def _log_places(points: Floats, weight: Floats, mean: Floats, variance: Floats) -> Floats:
    """How likely each point (n, d) is in each cluster (n, k), as a logarithm."""
    spread = np.log(2 * np.pi * variance).sum(axis=1)
    apart = points**2 @ (1 / variance).T - 2 * points @ (mean / variance).T + (mean**2 / variance).sum(axis=1)
    likely: Floats = np.log(weight) - (spread + apart) / 2
    return likely
