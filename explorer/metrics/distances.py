"""Cosine distances between vectors: exact ones, and fast ones that tell which of the exact ones are worth the work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Float64
from models.exact_products import dots, squares, whole

_LENGTHS = (1e-9, 1e12)  # of others, sums in single precision may leave its range


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors as whole numbers (n, d), which keep their directions, and their squared lengths (n,)."""

    numbers: Float32
    squares: Float64

    @classmethod
    def of(cls, vectors: NDArray[np.floating]) -> Vectors:
        numbers, _ = whole(vectors)
        return cls(numbers, squares(numbers))

    def apart(self, others: Vectors) -> Float32:
        """Distances (n, others) from 0 to 2: each is a function of the two vectors alone, 0 of a vector to itself.

        A vector of zeros has nothing in common with any.
        """
        lengths = np.sqrt(self.squares[:, None] * others.squares)  # the root of a square is exact
        products = dots(self.numbers, others.numbers)
        cosines = np.divide(products, lengths, out=np.zeros_like(lengths), where=lengths > 0)
        apart: Float32 = np.clip(1 - cosines, 0, 2).astype(np.float32)
        return apart

    def about(self, others: Float32, lengths: Float32) -> Float32:
        """The same within `doubt` many times as fast, NaN where that cannot be said; `lengths` are `lengths_of` them.

        These differ between machines and rows: they choose what is worked out, and nothing else.
        """
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            products = self.numbers @ others.T
            about: Float32 = 1 - products / (np.sqrt(self.squares).astype(np.float32)[:, None] * lengths)
        return about

    @property
    def doubt(self) -> float:
        """Twice what a sum of d products is off by at most in float32, in any order (Higham 2002, section 3.1)."""
        return float((self.numbers.shape[1] + 8) * np.finfo(np.float32).eps)


def lengths_of(vectors: NDArray[np.floating]) -> Float32:
    """The lengths (n,) of vectors (n, d) for fast distances; NaN where they are too long or short for these."""
    with np.errstate(over="ignore"):
        lengths: Float32 = np.linalg.norm(np.asarray(vectors, np.float32), axis=1)
    return np.where((lengths > _LENGTHS[0]) & (lengths < _LENGTHS[1]), lengths, np.float32(np.nan))
