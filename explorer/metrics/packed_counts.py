"""Counts of several resamples in one number per case, so that one gather and one cumulative sum do for all of them.

Counts are whole, and a sum of them never exceeds the cases that were drawn. Each resample gets a field of as many bits
as hold twice that (so that two sums may be added before they are separated), fields never run into each other, and the
sums are exact: at 75,422 cases three resamples share a 64-bit integer, at 1,000 cases five. Weights are not whole: of
these, two resamples share a complex number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Floats

_BITS = 63  # of a signed 64-bit integer


@dataclass(frozen=True, slots=True)
class PackedNumbers:
    """One number per case, `of_cases` (n,), for `fields` resamples; sums of such numbers are separated by `unpack`."""

    of_cases: npt.NDArray[Any]  # int64, or complex128 where cases are weighted
    fields: int
    bits: int = 0  # of a field of an integer

    def unpack(self, sums: npt.NDArray[Any]) -> Floats:
        """Sums of words (m,) as the sums of each resample (fields, m)."""
        if not self.bits:
            return np.stack([sums.real, sums.imag][: self.fields])
        shifts = np.arange(self.fields)[:, None] * self.bits
        return ((sums >> shifts) & ((1 << self.bits) - 1)).astype(np.float64)


def words_of(counts: Counts) -> Iterator[PackedNumbers]:
    """Counts or weights (k, n) in as few words as hold them, in order."""
    if counts.dtype.kind == "f":
        return _complex(counts.astype(np.float64, copy=False))
    return _integer(counts.astype(np.int64, copy=False))


def _integer(counts: npt.NDArray[np.int64]) -> Iterator[PackedNumbers]:
    bits = max(1, int(2 * counts.sum(axis=1).max()).bit_length())
    fields = _BITS // bits
    for start in range(0, len(counts), fields):
        rows = counts[start : start + fields]
        yield PackedNumbers((rows << np.arange(len(rows))[:, None] * bits).sum(axis=0), len(rows), bits)


def _complex(weights: Floats) -> Iterator[PackedNumbers]:
    for start in range(0, len(weights), 2):
        rows = weights[start : start + 2]
        yield PackedNumbers(rows[0] + 1j * rows[-1], len(rows))
