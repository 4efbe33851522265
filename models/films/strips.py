"""Splits an image into row strips, because arithmetic on a whole image would take several times its memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

STRIP_PIXELS = 1 << 19


def strips(image: NDArray[Any]) -> Iterator[slice]:
    """Return slices of the rows of an image (h, w, ...), about half a million pixels each."""
    height, width = image.shape[:2]
    rows = max(1, STRIP_PIXELS // width)
    return (slice(start, min(start + rows, height)) for start in range(0, height, rows))
