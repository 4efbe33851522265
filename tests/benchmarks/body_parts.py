"""Radiographs of other parts of the body, drawn: bones as bright capsules and shells in soft tissue.

No real one but the leg RG3 is free to ship with a package, so that these stand in for a robustness check.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

Array = NDArray[np.float64]
HEIGHT = 256


class Sheet:
    """Thickness of soft tissue and bone over a film `width` (in heights) wide; lengths are in film heights."""

    def __init__(self, width: float, rng: np.random.Generator) -> None:
        self.rng = rng
        self.center = width / 2
        self.y, self.x = np.indices((HEIGHT, round(HEIGHT * width))) / HEIGHT
        self.soft, self.bone = np.zeros_like(self.x), np.zeros_like(self.x)

    def limb(self, radius: float) -> None:
        """Soft tissue from the upper to the lower edge."""
        self.soft += self._capsule((-0.2, self._near(0)), (1.2, self._near(0)), radius)

    def trunk(self, height: float, width: float) -> None:
        """Soft tissue in an ellipse around the center."""
        self.soft += self._ball((0.5, 0), height, width)

    def shaft(self, start: tuple[float, float], end: tuple[float, float], radius: float) -> None:
        """A long bone with its marrow, from (row, place beside the center) to another."""
        start, end = (start[0], self._near(start[1])), (end[0], self._near(end[1]))
        self.bone += self._capsule(start, end, radius) - 0.6 * self._capsule(start, end, 0.4 * radius)

    def block(self, place: tuple[float, float], height: float, width: float) -> None:
        """A solid bone."""
        self.bone += self._ball(place, height, width)

    def shell(self, place: tuple[float, float], height: float, width: float, thickness: float) -> None:
        """A hollow bone."""
        inner = self._ball(place, height - thickness, width - thickness)
        self.bone += np.maximum(0, 3 * (self._ball(place, height, width) - inner))

    def gas(self) -> None:
        """A dark bubble somewhere."""
        row, column = self.rng.uniform(0.1, 0.8), self.rng.uniform(-0.3, 0.3)
        self.soft -= 0.6 * self._ball((row, column), self.rng.uniform(0.03, 0.09), self.rng.uniform(0.03, 0.11))

    def film(self) -> NDArray[np.float32]:
        """The sheet exposed: random strength, focus, noise and window."""
        rng = self.rng
        thick = self.soft.clip(0) * rng.uniform(0.7, 1.3) + 2.2 * self.bone * rng.uniform(0.7, 1.4)
        shade = gaussian_filter(1 - np.exp(-rng.uniform(2, 4) * thick), rng.uniform(0.6, 1.5))
        shade = shade / shade.max() * rng.uniform(0.7, 1) + rng.uniform(0, 0.1) * (1 - self.y)
        return np.clip(shade + rng.normal(0, 0.01, shade.shape), 0, 1).astype(np.float32)

    def _near(self, place: float) -> float:
        return self.center + place + float(self.rng.normal(0, 0.015))

    def _capsule(self, start: tuple[float, float], end: tuple[float, float], radius: float) -> Array:
        rows, columns = end[0] - start[0], end[1] - start[1]
        along = ((self.y - start[0]) * rows + (self.x - start[1]) * columns) / (rows**2 + columns**2)
        along = along.clip(0, 1)
        off = np.hypot(self.y - start[0] - along * rows, self.x - start[1] - along * columns)
        return np.sqrt(np.maximum(radius**2 - off**2, 0))

    def _ball(self, place: tuple[float, float], height: float, width: float) -> Array:
        off = ((self.y - place[0]) / height) ** 2 + ((self.x - self.center - place[1]) / width) ** 2
        return np.sqrt(np.maximum(1 - off, 0)) * min(height, width)


def leg(sheet: Sheet) -> None:
    sheet.limb(0.19)
    sheet.shaft((-0.1, -0.06), (1.1, -0.04), 0.055)
    sheet.shaft((-0.1, 0.08), (1.1, 0.05), 0.028)


def knee(sheet: Sheet) -> None:
    sheet.limb(0.3)
    sheet.shaft((-0.1, 0), (0.38, 0), 0.1)
    sheet.block((0.4, 0), 0.12, 0.2)
    sheet.block((0.57, 0), 0.07, 0.18)
    sheet.shaft((0.62, 0), (1.1, 0), 0.085)
    sheet.shaft((0.62, 0.17), (1.1, 0.14), 0.03)


def hand(sheet: Sheet) -> None:
    sheet.trunk(0.5, 0.33)
    for finger in range(5):
        lean, base = 0.25 * (finger - 2), 0.03 * (finger - 2)
        for near, far, radius in ((0.1, 0.35, 0.022), (0.37, 0.5, 0.018), (0.52, 0.6, 0.015)):
            ends = [(0.75 - reach * np.cos(lean), base + reach * np.sin(lean)) for reach in (near, far)]
            sheet.shaft(ends[0], ends[1], radius)
    for carpal in range(8):
        sheet.block((0.77 + 0.05 * (carpal // 4), 0.04 * (carpal % 4 - 1.5)), 0.03, 0.03)
    sheet.shaft((0.85, -0.05), (1.1, -0.06), 0.035)
    sheet.shaft((0.85, 0.05), (1.1, 0.06), 0.028)


def skull(sheet: Sheet) -> None:
    sheet.trunk(0.45, 0.36)
    sheet.shell((0.42, 0), 0.38, 0.32, 0.03)
    sheet.shell((0.75, 0), 0.18, 0.2, 0.03)
    sheet.block((1, 0), 0.3, 0.08)


def pelvis(sheet: Sheet) -> None:
    sheet.trunk(0.9, 0.7)
    for side in (-1, 1):
        sheet.shell((0.4, 0.3 * side), 0.22, 0.17, 0.02)
        sheet.block((0.7, 0.3 * side), 0.07, 0.07)
        sheet.shaft((0.75, 0.34 * side), (1.3, 0.36 * side), 0.06)
        sheet.shell((0.77, 0.12 * side), 0.1, 0.08, 0.03)
    vertebrae(sheet, rows=(0.0, 0.13, 0.26), width=0.09)


def abdomen(sheet: Sheet) -> None:
    sheet.trunk(1.1, 0.6)
    vertebrae(sheet, rows=np.arange(0.05, 0.9, 0.15), width=0.09)
    for side in (-1, 1):
        sheet.shell((0.95, 0.28 * side), 0.2, 0.16, 0.02)
    for _ in range(14):
        sheet.gas()


def spine(sheet: Sheet) -> None:
    sheet.limb(0.24)
    vertebrae(sheet, rows=np.arange(0.05, 1, 0.16), width=0.1)


def shoulder(sheet: Sheet) -> None:
    sheet.trunk(0.7, 0.6)
    sheet.block((0.35, 0.2), 0.11, 0.11)
    sheet.shaft((0.4, 0.22), (1.1, 0.3), 0.06)
    sheet.shaft((0.22, -0.4), (0.2, 0.15), 0.03)
    sheet.block((0.5, 0), 0.22, 0.13)
    for rib in range(6):
        sheet.shaft((0.3 + 0.12 * rib, -0.6), (0.42 + 0.13 * rib, -0.15), 0.018)


def vertebrae(sheet: Sheet, rows: Array | tuple[float, ...], width: float) -> None:
    """Vertebral bodies in a row, each with its transverse processes."""
    for row in rows:
        sheet.block((row, 0), 0.06, width)
        sheet.shaft((row, -1.6 * width), (row, 1.6 * width), 0.02)


PARTS: dict[Callable[[Sheet], None], float] = {
    leg: 0.47,
    knee: 0.8,
    hand: 0.8,
    skull: 0.9,
    pelvis: 1.2,
    abdomen: 0.85,
    spine: 0.6,
    shoulder: 1.1,
}


def body_parts(each: int) -> list[NDArray[np.float32]]:
    """`each` films of every part of PARTS, all different."""
    rng = np.random.default_rng(0)
    films = []
    for draw, width in PARTS.items():
        for _ in range(each):
            sheet = Sheet(width, rng)
            draw(sheet)
            films.append(sheet.film())
    return films
