"""Maps gray values to [0, 1]: each mapping is computed once per distinct value, then looked up for every pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.film import UnreadableRadiograph
from models.films.strips import strips

MAX_LEVELS = 1 << 16
LOW_PERCENTILE, HIGH_PERCENTILE = 0.1, 99.9
MIN_GRAY_SHARE = 0.05  # fraction of pixels that must be neither black nor white
MIN_SPREAD = 0.05  # fraction of the full scale between the 1st and 99th percentiles


def blank_image() -> UnreadableRadiograph:
    """Return the refusal of an image with a single gray value."""
    return UnreadableRadiograph(
        "The image is blank", "Every pixel has the same gray value. Check that the export finished, then try again."
    )


@dataclass(frozen=True, slots=True, eq=False)
class GrayLevels:
    """An image as indices into a sorted table of at most 65,536 distinct values.

    `index` uint16 (h, w); `values` float64 (n,), ascending; `counts` int64 (n,), the number of pixels per value.
    """

    index: NDArray[np.uint16]
    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    def render(self, shades: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Look up the shade (n,) of every pixel's value: float32 (h, w)."""
        return shades.astype(np.float32)[self.index]


def gray_levels(image: NDArray[Any]) -> GrayLevels:
    """Tabulate an image (h, w) of integers or floats; wide or fractional ranges are divided into 65,536 equal steps.

    Non-finite values count as the lowest. Raises UnreadableRadiograph if there is only one value.
    """
    low, high = _range(image)
    if low == high:
        raise blank_image()
    if np.issubdtype(image.dtype, np.integer) and high - low < MAX_LEVELS:
        index = _below(image, low)
        values = np.arange(low, high + 1, dtype=np.float64)
    else:
        index = _steps(image, low, high)
        values = np.linspace(low, high, MAX_LEVELS)
    return GrayLevels(index, values, _count(index, len(values)))


def _range(image: NDArray[Any]) -> tuple[Any, Any]:
    """Return the least and largest finite values as Python numbers; (0, 0) if there are none."""
    if not np.issubdtype(image.dtype, np.floating):
        return image.min().item(), image.max().item()
    low, high = np.inf, -np.inf
    for rows in strips(image):
        finite = image[rows][np.isfinite(image[rows])]
        low, high = min(low, finite.min(initial=np.inf).item()), max(high, finite.max(initial=-np.inf).item())
    return (low, high) if low <= high else (0.0, 0.0)


def _steps(image: NDArray[Any], low: float, high: float) -> NDArray[np.uint16]:
    """Return each value's index among 65,536 equal steps from `low` to `high`, strip by strip to save memory."""
    index = np.empty(image.shape, np.uint16)
    for rows in strips(image):
        part = image[rows]
        if np.issubdtype(part.dtype, np.floating):
            part = np.where(np.isfinite(part), part, part.dtype.type(low))
        # Each bound is halved first, because the difference of two float64 extremes overflows.
        share = (part / 2 - low / 2) / (high / 2 - low / 2)
        index[rows] = np.rint(share * (MAX_LEVELS - 1)).astype(np.uint16)
    return index


def _below(image: NDArray[Any], low: int) -> NDArray[np.uint16]:
    if low == 0 and image.dtype == np.uint16:
        return image
    # Arithmetic modulo 65,536 is exact here because the range is known to fit.
    return np.subtract(image.astype(np.uint16), np.uint16(low % MAX_LEVELS))


def _count(index: NDArray[np.uint16], size: int) -> NDArray[np.int64]:
    # bincount widens its input to 8 bytes per pixel, so the image is counted in chunks.
    counts = np.zeros(size, dtype=np.int64)
    flat = index.reshape(-1)
    for start in range(0, flat.size, 1 << 22):
        counts += np.bincount(flat[start : start + (1 << 22)], minlength=size)
    return counts


def percentiles(values: NDArray[np.float64], counts: NDArray[np.int64], *ranks: float) -> list[float]:
    """Return the values below which `ranks` percent of the counted pixels lie; `values` (n,) may be unsorted."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(counts[order])
    places = np.searchsorted(total, [rank / 100 * total[-1] for rank in ranks])
    return [float(values[order[min(place, len(order) - 1)]]) for place in places]


def robust_stretch(values: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Stretch the range between the 0.1 and 99.9 percentiles to [0, 1] and clip the rest: (n,)."""
    low, high = percentiles(values, counts, LOW_PERCENTILE, HIGH_PERCENTILE)
    if low == high:  # nearly blank: all information is in a few pixels outside the percentiles
        counted = values[counts > 0]
        low, high = float(counted.min()), float(counted.max())
    if low == high:
        raise blank_image()
    return np.clip((values / 2 - low / 2) / (high / 2 - low / 2), 0.0, 1.0)


def has_visible_grays(shades: NDArray[np.float64], counts: NDArray[np.int64]) -> bool:
    """Return whether shades (n,) in [0, 1] show grays, rather than only black and white or one flat gray."""
    greys = counts[(shades > 0.01) & (shades < 0.99)].sum() / max(1, counts.sum())
    low, high = percentiles(shades, counts, 1, 99)
    return bool(greys >= MIN_GRAY_SHARE and high - low >= MIN_SPREAD)
