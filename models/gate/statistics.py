"""How far a film lies from the films a model was trained on: statistics that a card ships beside its weights."""

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
from models.gate.film_looks import WAYS, seen


@dataclass(frozen=True, slots=True, eq=False)
class Cloud:
    """A cloud of vectors (d,): probabilistic principal components (Tipping and Bishop, JRSS B 1999).

    `axes` (k, d) and `variances` (k,) along them; `rest` is the variance along every other direction.
    """

    mean: Float32
    axes: Float32
    variances: Float32
    rest: float

    def distance(self, vectors: NDArray[np.floating]) -> Float32:
        """Squared Mahalanobis distance per dimension of vectors (..., d): about 1 on the films of the cloud.

        Equal vectors are equally far wherever they stand: cuts are compared with distances, and ways to hold a film.
        """
        away = np.ascontiguousarray(vectors, np.float32) - self.mean  # so that each is added up by itself
        along = row_products(away.reshape(-1, len(self.mean)), self.axes).reshape(*away.shape[:-1], len(self.axes))
        beside = (away**2).sum(-1) - (along**2).sum(-1)
        far: Float32 = ((along**2 / self.variances).sum(-1) + beside / self.rest) / len(self.mean)
        return far


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """What the training films look like (`looks`), what the model makes of them (`features`), and the cut."""

    looks: Cloud
    features: Cloud
    cut: float  # of strangeness

    def distances(self, look: Float32) -> Float32:
        """How far the looks a film would have lie from the training films', for each of WAYS (8,)."""
        return self.looks.distance(np.stack([seen(look, way).ravel() for way in WAYS]))

    def away(self, features: Float32) -> Float32:
        """How far a model's own features (..., d) lie from those of the training films; raises UnusableModel."""
        if features.shape[-1] != len(self.features.mean):
            raise UnusableModel(
                "The gate statistics are another model's",
                f"They are of {len(self.features.mean)} features, the model has {features.shape[-1]}. "
                "Make them with the model, or remove `gate` from its card.",
            )
        return self.features.distance(spread(features))


def strangeness(looks: Float32, away: Float32) -> Float32:
    """One figure from both distances, their geometric mean: a film must be strange in both, or very much so in one."""
    both: Float32 = np.sqrt(np.maximum(looks, 0) * np.maximum(away, 0))
    return both


def spread(features: NDArray[np.floating]) -> Float32:
    """Pooled features (..., d), square-rooted and of unit length, so that no single channel decides."""
    root = np.sign(features) * np.sqrt(np.abs(features.astype(np.float32)))
    unit: Float32 = root / np.maximum(np.linalg.norm(root, axis=-1, keepdims=True), 1e-6)
    return unit


def statistics(card: Card) -> Statistics | None:
    """The statistics a card names, None where it names none. Raises UnusableModel where they are missing or damaged."""
    return None if card.gate is None else _read(card.local_file(card.gate))


def as_numbers(known: Statistics) -> dict[str, Float32]:
    """Statistics as the arrays that their file holds."""
    numbers = {"cut": np.array([known.cut], dtype=np.float32)}
    for name, cloud in (("looks", known.looks), ("features", known.features)):
        rest = np.array([cloud.rest], dtype=np.float32)
        parts = {"mean": cloud.mean, "axes": cloud.axes, "variances": cloud.variances, "rest": rest}
        numbers |= {f"{name}.{part}": np.ascontiguousarray(array, dtype=np.float32) for part, array in parts.items()}
    return numbers


@lru_cache(maxsize=8)
def _read(path: Path) -> Statistics:
    try:
        numbers = load(path.read_bytes())
        return Statistics(_cloud(numbers, "looks"), _cloud(numbers, "features"), float(numbers["cut"][0]))
    except (SafetensorError, KeyError) as error:
        raise UnusableModel(
            f"{path.name} holds no gate statistics", "Restore the file, or remove `gate` from the card."
        ) from error


def _cloud(numbers: Mapping[str, Float32], name: str) -> Cloud:
    mean, axes, variances, rest = (numbers[f"{name}.{part}"] for part in ("mean", "axes", "variances", "rest"))
    return Cloud(mean, axes, variances, float(rest[0]))
