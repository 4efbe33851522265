"""The workstation's processing: from the detector's density to the gray that is shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter

from explorer.simulator.beam import Beam
from explorer.simulator.detector import DETECTORS, scattered
from explorer.simulator.draws import draws
from explorer.simulator.scale import blurred, enlarged
from models.array_types import Float32


@dataclass(frozen=True, slots=True)
class Processing:
    """A center's look."""

    compress: float  # share of the large structures' contrast that is taken out
    edge: float  # share of the detail that is added once more
    radius: float  # cm, what detail is
    greys: tuple[float, ...]  # shown for the densities at _STOPS


# Densities that grays are given for, counted from lung (0) to mediastinum (1) of the healthy patient.
_STOPS = (-1.2, -0.75, -0.25, 0.0, 0.35, 0.7, 1.0, 1.35, 1.8, 2.6)
_AIR = 0.3  # the share of the film that is no denser than lung: air beside the body is not brightened beyond it
PROCESSING = {
    "A": Processing(0.42, 0.5, 0.25, (0.01, 0.045, 0.25, 0.41, 0.6, 0.72, 0.8, 0.88, 0.945, 0.99)),
    "B": Processing(0.3, 0.85, 0.3, (0.01, 0.05, 0.19, 0.32, 0.52, 0.66, 0.74, 0.815, 0.9, 0.985)),
}


def displayed(density: Float32, coarse: Float32, beam: Beam) -> Float32:
    """Gray (size, size) in [0, 1], white is dense.

    The range comes from `coarse`, the healthy patient's attenuation: no finding moves it (a film and its twin differ
    by the disease alone). Detail is enhanced and large structures are compressed as a digital workstation does.
    """
    how = PROCESSING[beam.patient.center]
    random = draws(beam.patient.seed, "processing", beam.patient.center)
    edge, darker, flatter = how.edge * random.uniform(0.6, 1.5), random.normal(0, 0.05), random.normal(1.0, 0.06)
    coarse_pixel = beam.pixel * beam.size / coarse.shape[0]
    through = np.exp(-coarse)
    seen = -np.log(through + scattered(through, DETECTORS[beam.patient.center].scatter, coarse_pixel))
    floor = np.quantile(seen, _AIR)
    large = gaussian_filter(np.maximum(seen, floor), 3.0 / coarse_pixel, mode="nearest")
    lung, mediastinum = _range(seen - how.compress * large)
    shown = density + np.float32(edge) * (density - blurred(density, how.radius / beam.pixel))
    shown -= enlarged(how.compress * large, beam.size)
    stops = np.linspace(_STOPS[0], _STOPS[-1], 256)
    curve = PchipInterpolator(_STOPS, how.greys)(stops)
    place = (shown - np.float32(lung)) / np.float32((mediastinum - lung) * max(flatter, 0.8)) - np.float32(darker)
    return np.asarray(np.interp(place, stops, curve), np.float32)


def _range(seen: Float32) -> tuple[float, float]:
    """Densities of lung and mediastinum: the dark and the bright part of the film's middle."""
    high, wide = seen.shape
    middle = seen[high // 5 : -high // 4, wide // 5 : -wide // 5]
    lung, mediastinum = np.quantile(middle, (0.2, 0.9))
    return float(lung), float(mediastinum)
