"""An image some rows at a time: arithmetic on the whole of it at once would take several times its own memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

PIXELS = 1 << 19


def strips(image: NDArray[Any]) -> Iterator[slice]:
    """Rows of an image (h, w, ...), about half a million pixels at a time."""
    height, width = image.shape[:2]
    rows = max(1, PIXELS // width)
    return (slice(start, min(start + rows, height)) for start in range(0, height, rows))
