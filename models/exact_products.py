"""Products of vectors that are a function of the two vectors alone, bit for bit on every machine.

A product of matrices adds in an order that depends on the processor, the threads and the row, so that in float32 equal
films get margins that differ in the last bit: ties break, and places among films change. Whatever is ordered, tied or
compared comes from here instead. Each vector is first rounded to whole numbers of at most 2 ** 24 by a power of two of
its own, which keeps what float32 says of its largest number. One of the two is then split into halves of at most
2 ** 12. Whatever partial sum a machine forms of up to 2 ** 17 products of the other with a half is a whole number of at
most 2 ** 53, which double precision holds exactly: no order of the terms, no fused operation and no thread changes it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.array_types import Float32, Float64

BITS, HALF = 24, 12  # of the whole numbers, and of each of their halves
LONGEST = 2 ** (53 - BITS - HALF)  # numbers in a vector
_LEAST, _MOST = -100, 128  # exponents: powers of two stay inside float32, and what torch flushes to 0 is 0 here too
_AT_A_TIME = 2**16  # numbers: they and what becomes of them stay in the processor's cache


def row_products(rows: ArrayLike, directions: ArrayLike) -> Float32:
    """The products (n, q) of rows (n, d) with directions (q, d); what is not finite gives what is not finite."""
    vectors, others = np.asarray(rows, np.float32), np.asarray(directions, np.float32)
    if vectors.shape[1:] != others.shape[1:]:
        raise ValueError(f"Rows {vectors.shape} and directions {others.shape} differ in length.")
    if len(vectors) < len(others):
        return np.ascontiguousarray(row_products(others, vectors).T)  # the fewer are split, and their halves kept
    products = np.empty((len(vectors), len(others)), np.float32)
    numbers, exponents = whole(others)
    halves = _halves(numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        for part in _parts(vectors):
            these, theirs = whole(vectors[part])
            products[part] = np.ldexp(_dots(these, halves), theirs[:, None] + exponents - 2 * BITS)
    return products


def whole(vectors: ArrayLike) -> tuple[Float32, NDArray[np.int32]]:
    """Vectors (n, d) as whole numbers (n, d) and exponents (n,): a vector is its numbers times 2 ** (exponent - BITS).

    Raises ValueError where they are longer than the sums allow.
    """
    floats = np.asarray(vectors, np.float32)
    if floats.shape[1] > LONGEST:
        raise ValueError(f"Vectors of {floats.shape[1]:,} numbers are too long; {LONGEST:,} can be added exactly.")
    numbers = np.abs(floats)
    exponents = np.minimum(np.maximum(np.frexp(numbers.max(axis=1, initial=0))[1], _LEAST), _MOST)
    np.einsum("nd,n->nd", floats, np.ldexp(np.float32(1), BITS - exponents), out=numbers)  # exact, faster than `*`
    return np.rint(numbers, out=numbers), exponents


def dots(one: Float32, other: Float32) -> Float64:
    """The products (n, q) of whole numbers (n, d) and (q, d), each rounded once."""
    if len(one) < len(other):
        return dots(other, one).T
    halves = _halves(other)
    products = np.empty((len(one), len(other)))
    for part in _parts(one):
        products[part] = _dots(one[part], halves)
    return products


def squares(numbers: Float32) -> Float64:
    """The squared lengths (n,) of whole numbers (n, d), each rounded once."""
    found = np.empty(len(numbers))
    for part in _parts(numbers):
        some = numbers[part].astype(np.float64)
        high = np.rint(some / 2**HALF)
        found[part] = 2**HALF * (some * high).sum(axis=1) + (some * (some - 2**HALF * high)).sum(axis=1)
    return found


def _halves(numbers: Float32) -> Float64:
    """The high and the low halves of whole numbers (q, d) side by side: (d, 2 q)."""
    with np.errstate(invalid="ignore"):
        high = np.rint(numbers / np.float32(2**HALF))
        low = numbers - np.float32(2**HALF) * high
    return np.concatenate([high, low]).T.astype(np.float64, order="C")


def _dots(numbers: Float32, halves: Float64) -> Float64:
    sums: Float64 = numbers.astype(np.float64) @ halves
    count = sums.shape[1] // 2
    found: Float64 = 2**HALF * sums[:, :count] + sums[:, count:]
    return found


def _parts(vectors: Float32) -> Iterator[slice]:
    size = max(1, _AT_A_TIME // max(1, vectors.shape[1]))
    return (slice(start, start + size) for start in range(0, len(vectors), size))
