"""Dot products that depend only on the two vectors, bit for bit on every machine.

A matrix product sums in an order that depends on the processor, the threads and the row, so in float32 identical films
get margins that differ in the last bit: ties break and ranks change. Anything that is ranked, tied or compared uses the
products here instead. Each vector is scaled by its own power of two and rounded to integers of at most 2 ** 24, which
keeps float32's precision relative to its largest element. One vector is then split into halves of at most 2 ** 12.
Every partial sum of up to 2 ** 17 products with a half is an integer of at most 2 ** 53, which float64 represents
exactly, so the order of the terms, fused operations and threads cannot change it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.array_types import Float32, Float64

BITS, HALF = 24, 12  # bits of an integer, and of each of its halves
MAX_LENGTH = 2 ** (53 - BITS - HALF)  # numbers in a vector
_MIN_EXPONENT, _MAX_EXPONENT = -100, 128  # keeps powers of two in float32's range; flushes to 0 where torch does
_AT_A_TIME = 2**16  # elements per chunk; a chunk and its results stay in the processor's cache


def row_products(rows: ArrayLike, directions: ArrayLike) -> Float32:
    """Return the products (n, q) of rows (n, d) with directions (q, d); non-finite input gives non-finite output."""
    vectors, others = np.asarray(rows, np.float32), np.asarray(directions, np.float32)
    if vectors.shape[1:] != others.shape[1:]:
        raise ValueError(f"Rows {vectors.shape} and directions {others.shape} differ in length.")
    if len(vectors) < len(others):
        return np.ascontiguousarray(row_products(others, vectors).T)  # split the smaller matrix; its halves are reused
    products = np.empty((len(vectors), len(others)), np.float32)
    numbers, exponents = as_integers(others)
    halves = _halves(numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        for part in _parts(vectors):
            these, shifts = as_integers(vectors[part])
            products[part] = np.ldexp(_exact_dots(these, halves), shifts[:, None] + exponents - 2 * BITS)
    return products


def as_integers(vectors: ArrayLike) -> tuple[Float32, NDArray[np.int32]]:
    """Return vectors (n, d) as integers (n, d) and exponents (n,): a vector is integers * 2 ** (exponent - BITS).

    Raises ValueError if the vectors are too long to sum exactly.
    """
    floats = np.asarray(vectors, np.float32)
    if floats.shape[1] > MAX_LENGTH:
        raise ValueError(f"Vectors of {floats.shape[1]:,} numbers are too long; {MAX_LENGTH:,} can be added exactly.")
    numbers = np.abs(floats)
    exponents = np.minimum(np.maximum(np.frexp(numbers.max(axis=1, initial=0))[1], _MIN_EXPONENT), _MAX_EXPONENT)
    np.einsum("nd,n->nd", floats, np.ldexp(np.float32(1), BITS - exponents), out=numbers)  # exact, faster than `*`
    return np.rint(numbers, out=numbers), exponents


def integer_products(one: Float32, other: Float32) -> Float64:
    """Return the products (n, q) of integer vectors (n, d) and (q, d), each rounded once."""
    if len(one) < len(other):
        return integer_products(other, one).T
    halves = _halves(other)
    products = np.empty((len(one), len(other)))
    for part in _parts(one):
        products[part] = _exact_dots(one[part], halves)
    return products


def squared_lengths(numbers: Float32) -> Float64:
    """Return the squared lengths (n,) of integer vectors (n, d), each rounded once."""
    found = np.empty(len(numbers))
    for part in _parts(numbers):
        some = numbers[part].astype(np.float64)
        high = np.rint(some / 2**HALF)
        found[part] = 2**HALF * (some * high).sum(axis=1) + (some * (some - 2**HALF * high)).sum(axis=1)
    return found


def _halves(numbers: Float32) -> Float64:
    """Return the high and low halves of integers (q, d) side by side: (d, 2 q)."""
    with np.errstate(invalid="ignore"):
        high = np.rint(numbers / np.float32(2**HALF))
        low = numbers - np.float32(2**HALF) * high
    return np.concatenate([high, low]).T.astype(np.float64, order="C")


def _exact_dots(numbers: Float32, halves: Float64) -> Float64:
    sums: Float64 = numbers.astype(np.float64) @ halves
    count = sums.shape[1] // 2
    found: Float64 = 2**HALF * sums[:, :count] + sums[:, count:]
    return found


def _parts(vectors: Float32) -> Iterator[slice]:
    size = max(1, _AT_A_TIME // max(1, vectors.shape[1]))
    return (slice(start, start + size) for start in range(0, len(vectors), size))
