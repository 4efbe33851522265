"""Clusters films by vectors, with a Gaussian mixture that can also take labels and calls into account.

The mixture of Domino (Eyuboglu et al., Domino: Discovering Systematic Errors with Cross-Modal Embeddings, ICLR 2022):
each cluster has a mean vector, a share of films with the finding and a share of called films, which groups similar
films with similar errors. It is fitted on the search half of the patients. Unlike in Domino, a film's cluster depends
on its vector alone, never on its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from explorer.core.arrays import Floats

MAX_CLUSTERS = 25  # as in Domino's program
MIN_FILMS_PER_CLUSTER = 30  # smallest average number of fitted films per cluster
ERROR_WEIGHT = 10.0  # weight of label and call relative to that of the vector
MAX_COMPONENTS = 32  # principal components
_ROUNDS, _TOLERANCE = 100, 1e-4  # EM iterations; smallest gain in mean log likelihood
_MIN_VARIANCE, _MIN_SHARE = 1e-3, 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Each film's cluster (n,) and its membership probability (n,)."""

    number: NDArray[np.int64]
    certainty: Floats


def cluster_films(
    points: Floats, present: Floats, called: Floats, fitted: NDArray[np.bool_], *, weigh: float = ERROR_WEIGHT
) -> Clusters:
    """Cluster films with points (n, d), fitting on the films in `fitted` (n,); with `weigh` 0, outcomes play no part.

    With too few films to fit, all films form one cluster.
    """
    count = min(MAX_CLUSTERS, int(fitted.sum()) // MIN_FILMS_PER_CLUSTER)
    if count < 2:
        return Clusters(np.zeros(len(points), dtype=np.int64), np.ones(len(points)))
    read = np.stack([present, called], axis=1)
    fit = _fit(points[fitted], read[fitted], count, weigh)
    of_each = _log_likelihoods(points, *fit)
    certainty = np.exp(of_each - scipy.special.logsumexp(of_each, axis=1, keepdims=True))
    number = np.asarray(certainty.argmax(axis=1), dtype=np.int64)
    return Clusters(number, certainty[np.arange(len(number)), number])


def principal_components(vectors: Floats) -> Floats:
    """Return the first principal components of vectors (n, d), scaled so that the first has unit variance.

    They are rounded because the last digits of matrix products differ between machines.
    """
    apart = vectors - vectors.mean(axis=0)
    _, strength, axes = np.linalg.svd(apart, full_matrices=False)
    axes = axes[:MAX_COMPONENTS][strength[:MAX_COMPONENTS] > 1e-9 * strength[:1].sum()]
    axes = axes * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
    points = apart @ axes.T
    scale = float(points[:, 0].std()) if points.shape[1] else 1.0
    rounded: Floats = np.round(points / (scale or 1.0), 4)
    return rounded


def _fit(points: Floats, read: Floats, count: int, weigh: float) -> tuple[Floats, Floats, Floats]:
    """Return weights (k,), means (k, d) and variances (k, d) fitted by expectation-maximization."""
    share = _first_shares(points, count)
    before = -np.inf
    for _ in range(_ROUNDS):
        weight, mean, variance, odds = _maximized(points, read, share)
        of_each = _log_likelihoods(points, weight, mean, variance) + weigh * (
            read @ np.log(odds).T + (1 - read) @ np.log(1 - odds).T
        )
        total = scipy.special.logsumexp(of_each, axis=1, keepdims=True)
        share = np.exp(of_each - total)
        now = float(total.mean())
        if now - before < _TOLERANCE:
            break
        before = now
    return weight, mean, variance


def _first_shares(points: Floats, count: int) -> Floats:
    """Assign each point to the nearest k-means++ seed (Arthur and Vassilvitskii, 2007)."""
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
    variance = np.maximum(share.T @ points**2 / n[:, None] - mean**2, _MIN_VARIANCE)
    odds = np.clip(share.T @ read / n[:, None], _MIN_SHARE, 1 - _MIN_SHARE)
    return n / n.sum(), mean, variance, odds


def _log_likelihoods(points: Floats, weight: Floats, mean: Floats, variance: Floats) -> Floats:
    """Return the log likelihood of each point (n, d) in each cluster, (n, k)."""
    spread = np.log(2 * np.pi * variance).sum(axis=1)
    apart = points**2 @ (1 / variance).T - 2 * points @ (mean / variance).T + (mean**2 / variance).sum(axis=1)
    likely: Floats = np.log(weight) - (spread + apart) / 2
    return likely
