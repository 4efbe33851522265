"""The film's pixels as rays: where each meets a plane at some depth of the patient, in centimeters."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.form import Form
from explorer.simulator.draws import draws
from explorer.simulator.patient import Patient
from models.array_types import Float32

_SOURCE = {"PA": 180.0, "AP": 110.0}  # cm from the focal spot to the detector
_GAP = 3.0  # cm from the skin to the detector
MID_DEPTH = 0.0  # depth of the trunk's middle; positive depths are anterior
_ANGLE = 4.5  # cm from the dome of the diaphragm down to the costophrenic angle
_PARTS = {"PA": (0.76, 0.89), "AP": (0.69, 0.88)}  # range of the chest's share of the field's width, set by hand
_TALLEST = 0.8  # the same for its height
_ABOVE = {"PA": (0.38, 0.07), "AP": (0.45, 0.13)}  # share of the remaining field above the lungs: mean, deviation


@dataclass(frozen=True)
class Beam:
    """Rays of a film of `size` x `size` pixels. x points to the patient's left (image right), y down, z forward."""

    patient: Patient
    size: int
    half_depth: float  # cm, half the trunk's thickness: distance of the middle from the skin
    field: float  # cm, side of the square field at the detector
    top: float  # y of the field's upper edge; 0 is about the lungs' apex
    middle: float  # x of the field's middle, where the central ray enters: patients rarely stand exactly there

    @classmethod
    def aim(cls, patient: Patient, form: Form, size: int) -> Self:
        """Set the field as a radiographer would for this chest; `form` is the healthy one, so twins share a field."""
        random = draws(patient.seed, "field", patient.anatomy)
        tall = form.dome_right + _ANGLE - form.apex
        part = float(random.uniform(*_PARTS[patient.view]))
        side = 1.05 * max(tall / _TALLEST, 2 * form.half_width / part)
        above = float(np.clip(random.normal(*_ABOVE[patient.view]), 0.12, 0.78))  # some films barely include the apices
        top = form.apex - above * (side - 1.05 * tall)
        middle = float(random.normal(0, 0.9 if patient.view == "AP" else 0.4))
        return cls(patient, size, form.half_depth + form.wall, side, top, middle)

    @property
    def pixel(self) -> float:
        """Side of a pixel in cm, at the detector."""
        return self.field / self.size

    @property
    def center_y(self) -> float:
        """y at which the central ray enters."""
        return self.top + self.field / 2

    @property
    def left(self) -> float:
        """x of the field's edge on the patient's right, the image's left."""
        return self.middle - self.field / 2

    @cached_property
    def x(self) -> Float32:
        """Film coordinates (1, size) of the columns."""
        return ((np.arange(self.size, dtype=np.float32) + 0.5) * self.pixel + self.left)[None].astype(np.float32)

    @cached_property
    def y(self) -> Float32:
        """Film coordinates (size, 1) of the rows."""
        return ((np.arange(self.size, dtype=np.float32) + 0.5) * self.pixel + self.top)[:, None].astype(np.float32)

    def magnification(self, z: float) -> float:
        """Return the magnification on the film of an object at depth z, relative to the trunk's middle."""
        source = _SOURCE[self.patient.view]
        return (source - self._to_detector(MID_DEPTH)) / (source - self._to_detector(z))

    def at(self, z: float) -> tuple[Float32, Float32]:
        """Return x (1, size) and y (size, 1) of the rays at depth z, including beam spread and the trunk's rotation."""
        m, middle, center = (np.float32(each) for each in (self.magnification(z), self.middle, self.center_y))
        x, y = (self.x - middle) / m + middle, (self.y - center) / m + center
        return x - np.float32(self.shift(z)), y + np.float32(self.rise(z))

    def on_film(self, x: float, y: float, z: float) -> tuple[float, float]:
        """Return the film coordinates of a point: the inverse of `at`."""
        m = self.magnification(z)
        x, y = x + self.shift(z), y - self.rise(z)
        return (x - self.middle) * m + self.middle, (y - self.center_y) * m + self.center_y

    def project(self, points: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return pixels (n, 2: column, row) of points (n, 3); like `on_film`, but for many points."""
        points = np.asarray(points, np.float64)
        m = self.magnified(points[:, 2])
        x = (points[:, 0] + np.sin(self.patient.rotation) * points[:, 2] - self.middle) * m + self.middle
        y = (points[:, 1] - np.sin(self.patient.lean) * points[:, 2] - self.center_y) * m + self.center_y
        return np.stack([(x - self.left) / self.pixel - 0.5, (y - self.top) / self.pixel - 0.5], 1)

    def magnified(self, z: NDArray[np.floating]) -> NDArray[np.float64]:
        """Return `magnification` at depths (n,)."""
        far = _SOURCE[self.patient.view] - self.half_depth - _GAP
        z = np.asarray(z, np.float64)
        return np.asarray(far / (far + (z if self.patient.view == "PA" else -z)))

    def shift(self, z: float) -> float:
        """Return how far rotation shifts an object at depth z sideways."""
        return float(np.sin(self.patient.rotation) * z)

    def rise(self, z: float) -> float:
        """Return how far the lean of the trunk shifts an object at depth z up the film."""
        return float(np.sin(self.patient.lean) * z)

    def _to_detector(self, z: float) -> float:
        depth = self.half_depth - z if self.patient.view == "PA" else self.half_depth + z
        return depth + _GAP
