"""Cosine distances between vectors: exact ones, and fast bounds that show which exact ones are needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Float64
from models.exact_products import as_integers, integer_products, squared_lengths

_LENGTHS = (1e-9, 1e12)  # outside this range, sums in single precision may overflow or underflow


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors scaled to integers (n, d), with unchanged directions, and their squared lengths (n,)."""

    numbers: Float32
    squares: Float64

    @classmethod
    def of(cls, vectors: NDArray[np.floating]) -> Vectors:
        numbers, _ = as_integers(vectors)
        return cls(numbers, squared_lengths(numbers))

    def cosine_distances(self, others: Vectors) -> Float32:
        """Return distances (n, others) from 0 to 2, exact to the last bit for each pair; 0 from a vector to itself.

        A zero vector is at distance 1 from all others.
        """
        lengths = np.sqrt(self.squares[:, None] * others.squares)  # the root of a square is exact
        products = integer_products(self.numbers, others.numbers)
        cosines = np.divide(products, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        distances: Float32 = np.clip(1 - cosines, 0, 2).astype(np.float32)
        return distances

    def fast_distances(self, others: Float32, lengths: Float32) -> Float32:
        """Return the same distances within `fast_error`, much faster; NaN if out of range; `lengths` from `lengths_of`.

        These vary with machine and batch, so use them only to choose which exact distances to compute.
        """
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            products = self.numbers @ others.T
            fast: Float32 = 1 - products / (np.sqrt(self.squares).astype(np.float32)[:, None] * lengths)
        return fast

    @property
    def fast_error(self) -> float:
        """Twice the maximum float32 error of a sum of d products, in any order (Higham 2002, section 3.1)."""
        return float((self.numbers.shape[1] + 8) * np.finfo(np.float32).eps)


def lengths_of(vectors: NDArray[np.floating]) -> Float32:
    """Return the lengths (n,) of vectors (n, d) for fast distances; NaN if too long or too short for these."""
    with np.errstate(over="ignore"):
        lengths: Float32 = np.linalg.norm(np.asarray(vectors, np.float32), axis=1)
    return np.where((lengths > _LENGTHS[0]) & (lengths < _LENGTHS[1]), lengths, np.float32(np.nan))
