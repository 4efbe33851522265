"""Simulates the workstation's processing: from the detector's density to the displayed gray."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter

from explorer.simulator.beam import Beam
from explorer.simulator.detector import DETECTORS, scatter_signal
from explorer.simulator.draws import draws
from explorer.simulator.scale import blur_map, enlarge_map
from models.array_types import Float32


@dataclass(frozen=True, slots=True)
class Processing:
    """A center's processing."""

    compress: float  # share of the large structures' contrast that is removed
    edge: float  # share of the detail that is added again
    radius: float  # cm, size of detail
    greys: tuple[float, ...]  # displayed gray at each density in _STOPS


# Densities at which grays are given, scaled from lung (0) to mediastinum (1) of the healthy patient.
_STOPS = (-1.2, -0.75, -0.25, 0.0, 0.35, 0.7, 1.0, 1.35, 1.8, 2.6)
_AIR = 0.3  # share of the film no denser than lung: limits the brightening of air outside the body
PROCESSING = {
    "A": Processing(0.42, 0.5, 0.25, (0.01, 0.045, 0.25, 0.41, 0.6, 0.72, 0.8, 0.88, 0.945, 0.99)),
    "B": Processing(0.3, 0.85, 0.3, (0.01, 0.05, 0.19, 0.32, 0.52, 0.66, 0.74, 0.815, 0.9, 0.985)),
}


def display_gray(density: Float32, coarse: Float32, beam: Beam) -> Float32:
    """Return gray (size, size) in [0, 1], dense is white.

    The range comes from `coarse`, the healthy patient's attenuation, so that no finding changes it (a film and its twin
    differ only by the disease). Detail is enhanced and large structures are compressed, as on a digital workstation.
    """
    processing = PROCESSING[beam.patient.center]
    random = draws(beam.patient.seed, "processing", beam.patient.center)
    edge, darker, flatter = processing.edge * random.uniform(0.6, 1.5), random.normal(0, 0.05), random.normal(1.0, 0.06)
    coarse_pixel = beam.pixel * beam.size / coarse.shape[0]
    through = np.exp(-coarse)
    healthy = -np.log(through + scatter_signal(through, DETECTORS[beam.patient.center].scatter, coarse_pixel))
    floor = np.quantile(healthy, _AIR)
    large = gaussian_filter(np.maximum(healthy, floor), 3.0 / coarse_pixel, mode="nearest")
    lung, mediastinum = _range(healthy - processing.compress * large)
    shown = density + np.float32(edge) * (density - blur_map(density, processing.radius / beam.pixel))
    shown -= enlarge_map(processing.compress * large, beam.size)
    stops = np.linspace(_STOPS[0], _STOPS[-1], 256)
    curve = PchipInterpolator(_STOPS, processing.greys)(stops)
    place = (shown - np.float32(lung)) / np.float32((mediastinum - lung) * max(flatter, 0.8)) - np.float32(darker)
    return np.asarray(np.interp(place, stops, curve), np.float32)


def _range(healthy: Float32) -> tuple[float, float]:
    """Return the densities of lung and mediastinum: the dark and the bright part of the film's middle."""
    high, wide = healthy.shape
    middle = healthy[high // 5 : -high // 4, wide // 5 : -wide // 5]
    lung, mediastinum = np.quantile(middle, (0.2, 0.9))
    return float(lung), float(mediastinum)
