"""One lung as projected on the film: its borders by row, the diaphragm by column, and positions in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import distance_transform_edt, gaussian_filter1d

from explorer.simulator.chest import Chest
from explorer.simulator.request import Request
from models.array_types import Bools, Float32

_TRIES = 150
_CLEAR = 1.15  # relative to the heart's size: lung beside it is visible
_ROOT = 2.4  # cm around the hilum crowded by vessels
_TIP = 2.0  # cm the side wall may curve inward above the angle
_ANGLE = 0.4  # cm from the side wall where the diaphragm meets it


@dataclass(frozen=True, slots=True)
class LungView:
    """Film coordinates in cm from the midline; `out` increases toward this side of the patient."""

    chest: Chest
    name: str
    sign: int  # -1 right, 1 left: x = sign * out
    out: Float32  # (1, size)
    y: Float32  # (size, 1)
    lung: Bools  # (size, size)
    outer: Float32  # (size, 1): lateral border of the lung in each row, extended above and below
    inner: Float32  # (size, 1): medial border
    floor: Float32  # (1, size): y of the top of the diaphragm in each column
    top: float  # y of the apex
    angle: float  # y of the costophrenic angle
    hilum: tuple[float, float]  # out, y

    def height(self, share: float) -> float:
        """Return y at a fraction of the lung's height: 0 is the apex, 1 the costophrenic angle."""
        return self.top + share * (self.angle - self.top)

    def edge(self, y: float) -> float:
        """Return the lateral border at y."""
        return float(np.interp(y, self.y[:, 0], self.outer[:, 0]))

    def mid(self, y: float) -> float:
        """Return the medial border at y."""
        return float(np.interp(y, self.y[:, 0], self.inner[:, 0]))

    def beside(self, y: float) -> float:
        """Return where lung begins at y that the heart does not hide."""
        right, top, left, bottom = self.chest.marks.heart
        down = (2 * y - top - bottom) / (bottom - top)
        half = (left - right) / 2 * _CLEAR * float(np.sqrt(max(1 - (down / _CLEAR) ** 2, 0)))
        return max(self.mid(y), half + self.sign * (left + right) / 2) if half else self.mid(y)

    def dome(self, out: float) -> float:
        """Return y of the top of the diaphragm at a distance from the midline."""
        return float(np.interp(out, self.floor_at[0], self.floor_at[1]))

    @property
    def floor_at(self) -> tuple[Float32, Float32]:
        """The diaphragm as increasing distances from the midline, and y."""
        return (self.out[0], self.floor[0]) if self.sign > 0 else (self.out[0, ::-1], self.floor[0, ::-1])

    def wall(self) -> Float32:
        """Distance (size, size) in cm inward from the chest wall and below the apex; 0 outside the chest."""
        inside = (self.out <= self.outer) & (self.y >= self.top)
        distance = np.zeros(inside.shape, np.float32)
        half = self.half
        pixel = np.float32(self.chest.beam.pixel)
        distance[:, half] = (distance_transform_edt(inside[:, half]) - 0.5).clip(0) * pixel
        return distance

    def point(self, out: float, y: float, z: float) -> tuple[float, float, float]:
        """Return the patient point at depth z that projects to `out` and y on the film."""
        beam = self.chest.beam
        at_x, at_y = beam.at(z)
        return float(np.interp(self.sign * out, beam.x[0], at_x[0])), float(np.interp(y, beam.y[:, 0], at_y[:, 0])), z

    def below_top(self) -> Float32:
        """Distance (size, size) in cm below the start of the lung in each column; 0 where there is none."""
        first = self.y[self.lung.argmax(0), 0]
        return np.where(self.lung.any(0), self.y - first, np.float32(0)).astype(np.float32)

    @property
    def half(self) -> slice:
        """The film's columns on this side, including a little past the midline."""
        keep = np.flatnonzero(self.out[0] > -2)
        return slice(int(keep[0]), int(keep[-1]) + 1)


def requested_lungs(chest: Chest, request: Request) -> list[LungView]:
    """Return the lungs a request concerns."""
    names = ("right", "left") if request.side == "both" else (request.side or "right",)
    return [lung_view(chest, name) for name in names]


def lung_view(chest: Chest, name: str) -> LungView:
    """Return one lung of the chest as it was before any finding."""
    beam, sign = chest.beam, -1 if name == "right" else 1
    lung = chest.marks.lungs[name]
    out = sign * beam.x
    rows = np.flatnonzero(lung.any(1))
    far = np.where(lung, out, -np.inf).max(1)[rows]
    near = np.where(lung, out, np.inf).min(1)[rows]
    blur = 0.4 / beam.pixel
    every = np.arange(beam.size)
    widest = int(far.argmax())
    wall = (np.arange(len(rows)) <= widest) | (far > far[widest] - _TIP)  # below it, lung lies behind the liver
    outer = gaussian_filter1d(np.interp(every, rows[wall], far[wall]), blur, mode="nearest").astype(np.float32)
    inner = gaussian_filter1d(np.interp(every, rows, near), blur, mode="nearest").astype(np.float32)
    points = np.array([beam.on_film(*point) for point in chest.marks.domes[name]])
    order = np.argsort(sign * points[:, 0])
    floor = np.interp(out[0], sign * points[order, 0], points[order, 1]).astype(np.float32)
    reach, height = (out[0], floor) if sign > 0 else (out[0, ::-1], floor[::-1])
    below = beam.y[:, 0] >= np.interp(outer - _ANGLE, reach, height)
    below[: rows[0] + 1] = False
    low = int(below.argmax()) if below.any() else int(rows[-1])
    hilum = beam.on_film(*chest.marks.hila[name])
    y = beam.y
    return LungView(
        chest, name, sign, out, y, lung, outer[:, None], inner[:, None], floor[None],
        float(y[rows[0], 0]), float(y[low, 0]), (sign * hilum[0], hilum[1]),
    )  # fmt: skip


def random_point(
    side: LungView, random: np.random.Generator, heights: tuple[float, float] = (0.1, 0.85), margin: float = 0.5
) -> tuple[float, float, float]:
    """Return a point x, y, z in well-aerated lung, in a height range and at least `margin` cm from its border.

    The point does not depend on the film size: candidates are drawn in cm and the first suitable one is taken.
    """
    chest = side.chest
    inside = side.lung
    found, most = None, -1.0
    for share, across, depth in random.uniform(0, 1, (_TRIES, 3)):
        y = side.height(heights[0] + share * (heights[1] - heights[0]))
        near, far = side.beside(y), side.edge(y)
        out = near + margin + across * (far - near - 2 * margin)
        z = -4.0 + 8.0 * depth
        row, column = _pixel(side, out, y)
        room = side.top + margin < y < side.dome(out) - max(margin, 0.5)
        clear = inside[row, column] and room and np.hypot(out - side.hilum[0], y - side.hilum[1]) > _ROOT
        ahead = float(chest.lung[row, column]) if clear else 0.0
        here = side.point(out, y, z)
        if ahead > most:
            found, most = here, ahead
        if ahead > 5:
            return here
    assert found is not None
    return found


def _pixel(side: LungView, out: float, y: float) -> tuple[int, int]:
    beam = side.chest.beam
    column = int(np.clip(round((side.sign * out - float(beam.x[0, 0])) / beam.pixel), 0, beam.size - 1))
    row = int(np.clip(round((y - float(beam.y[0, 0])) / beam.pixel), 0, beam.size - 1))
    return row, column
