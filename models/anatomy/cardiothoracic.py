"""The cardiothoracic ratio: the heart's greatest width over that of the chest, inside the ribs (Danzer, 1919)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from models.array_types import Bools

SIMULATED_ERROR = 0.007  # mean absolute error on simulated test films: tests.benchmarks.anatomy


@dataclass(frozen=True, slots=True)
class HorizontalLine:
    """A line across the film, as fractions of its width and height."""

    left: float
    right: float
    y: float

    @property
    def length(self) -> float:
        """Its length as a fraction of the film's width."""
        return self.right - self.left


@dataclass(frozen=True, slots=True)
class CardiothoracicRatio:
    """The ratio with the lines that it was measured along: the heart's right and left part, and the chest.

    The heart's two lines end at its farthest points right and left, each at its own height, and meet at the midline
    between them, as on paper; their lengths add up to its width.
    """

    heart: tuple[HorizontalLine, HorizontalLine]
    chest: HorizontalLine

    @property
    def value(self) -> float:
        """The ratio."""
        return (self.heart[0].length + self.heart[1].length) / self.chest.length


def cardiothoracic_ratio(masks: Mapping[str, Bools]) -> CardiothoracicRatio:
    """Measure the ratio on masks (h, w) that hold both lungs and the heart, none of them empty."""
    height, width = masks["heart"].shape
    heart = masks["heart"]
    columns = np.flatnonzero(heart.any(0))
    first, last = int(columns[0]), int(columns[-1])
    middle = (first + last + 1) / 2
    lines = (
        HorizontalLine(first / width, middle / width, _mean_row(heart[:, first]) / height),
        HorizontalLine(middle / width, (last + 1) / width, _mean_row(heart[:, last]) / height),
    )
    rows = np.flatnonzero(masks["right lung"].any(1) & masks["left lung"].any(1))
    starts = masks["right lung"][rows].argmax(1)
    ends = width - masks["left lung"][rows, ::-1].argmax(1)
    widest = int((ends - starts).argmax())
    start, end, row = (int(each[widest]) for each in (starts, ends, rows))
    chest = HorizontalLine(start / width, end / width, (row + 0.5) / height)
    return CardiothoracicRatio(lines, chest)


def _mean_row(column: Bools) -> float:
    return float(np.flatnonzero(column).mean()) + 0.5
