"""Measures how far a film is from a model's training films, with statistics that ship next to the model's weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load

from models.array_types import Float32
from models.cards.card import Card, UnusableModel
from models.exact_products import row_products
from models.gate.film_looks import TRANSFORMS, transformed_look


@dataclass(frozen=True, slots=True, eq=False)
class GaussianCloud:
    """A distribution of vectors (d,): probabilistic principal components (Tipping and Bishop, JRSS B 1999).

    `axes` (k, d) have the `variances` (k,); `rest` is the variance in every other direction.
    """

    mean: Float32
    axes: Float32
    variances: Float32
    rest: float

    def distance(self, vectors: NDArray[np.floating]) -> Float32:
        """Return the squared Mahalanobis distance per dimension of vectors (..., d): about 1 for training films.

        Distances are compared with cuts, so equal vectors get equal distances wherever they are in the array.
        """
        away = np.ascontiguousarray(vectors, np.float32) - self.mean  # contiguous, so that each row is summed by itself
        along = row_products(away.reshape(-1, len(self.mean)), self.axes).reshape(*away.shape[:-1], len(self.axes))
        across = (away**2).sum(-1) - (along**2).sum(-1)
        distances: Float32 = ((along**2 / self.variances).sum(-1) + across / self.rest) / len(self.mean)
        return distances


@dataclass(frozen=True, slots=True, eq=False)
class GateStatistics:
    """Distributions of the training films' looks and of the model's features, and the cut."""

    looks: GaussianCloud
    features: GaussianCloud
    cut: float  # largest accepted strangeness

    def distances(self, look: Float32) -> Float32:
        """Return the distances (8,) of a film's look from the looks of the training films, for each of TRANSFORMS."""
        return self.looks.distance(np.stack([transformed_look(look, way).ravel() for way in TRANSFORMS]))

    def away(self, features: Float32) -> Float32:
        """Return the distance of features (..., d) from those of the model's training films; raises UnusableModel."""
        if features.shape[-1] != len(self.features.mean):
            raise UnusableModel(
                "The gate statistics are another model's",
                f"They have {len(self.features.mean)} features, the model has {features.shape[-1]}. "
                "Compute them with this model, or remove `gate` from its card.",
            )
        return self.features.distance(normalize_features(features))


def strangeness(looks: Float32, away: Float32) -> Float32:
    """Return the geometric mean of both distances: large only if both are large or one is very large."""
    both: Float32 = np.sqrt(np.maximum(looks, 0) * np.maximum(away, 0))
    return both


def normalize_features(features: NDArray[np.floating]) -> Float32:
    """Return pooled features (..., d) as square roots scaled to unit length, so that no single channel dominates."""
    root = np.sign(features) * np.sqrt(np.abs(features.astype(np.float32)))
    unit: Float32 = root / np.maximum(np.linalg.norm(root, axis=-1, keepdims=True), 1e-6)
    return unit


def gate_statistics(card: Card) -> GateStatistics | None:
    """Return the statistics that a card names, or None. Raises UnusableModel if they are missing or damaged."""
    return None if card.gate is None else _read(card.local_file(card.gate))


def statistics_arrays(known: GateStatistics) -> dict[str, Float32]:
    """Return the statistics as the arrays stored in their file."""
    numbers = {"cut": np.array([known.cut], dtype=np.float32)}
    for name, cloud in (("looks", known.looks), ("features", known.features)):
        rest = np.array([cloud.rest], dtype=np.float32)
        parts = {"mean": cloud.mean, "axes": cloud.axes, "variances": cloud.variances, "rest": rest}
        numbers |= {f"{name}.{part}": np.ascontiguousarray(array, dtype=np.float32) for part, array in parts.items()}
    return numbers


@lru_cache(maxsize=8)
def _read(path: Path) -> GateStatistics:
    try:
        numbers = load(path.read_bytes())
        return GateStatistics(_cloud(numbers, "looks"), _cloud(numbers, "features"), float(numbers["cut"][0]))
    except (SafetensorError, KeyError) as error:
        raise UnusableModel(
            f"{path.name} contains no gate statistics", "Restore the file, or remove `gate` from the card."
        ) from error


def _cloud(numbers: Mapping[str, Float32], name: str) -> GaussianCloud:
    mean, axes, variances, rest = (numbers[f"{name}.{part}"] for part in ("mean", "axes", "variances", "rest"))
    return GaussianCloud(mean, axes, variances, float(rest[0]))
