"""From the patient's attenuation to the film: detector, processing, collimator, markers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter

from explorer.simulator.beam import Beam
from explorer.simulator.detector import DETECTORS, Detector, detect_signal, scatter_signal
from explorer.simulator.draws import draws
from explorer.simulator.markers import add_markers
from explorer.simulator.request import Center
from explorer.simulator.scale import blur_map, enlarge_map
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32, Float64


@dataclass(frozen=True, slots=True)
class Processing:
    """A center's processing."""

    compress: float  # share of the large structures' contrast that is removed
    edge: float  # extra detail that is added, as a fraction of the detail
    radius: float  # cm, size of detail
    greys: tuple[float, ...]  # displayed gray at each density in _STOPS


# Densities at which grays are given, scaled from lung (0) to mediastinum (1) of the healthy patient.
_STOPS = (-1.2, -0.75, -0.25, 0.0, 0.35, 0.7, 1.0, 1.35, 1.8, 2.6)
_AIR = 0.3  # fraction of the film that is no denser than lung: limits the brightening of air outside the body
PROCESSING = {
    "A": Processing(0.42, 0.5, 0.25, (0.01, 0.045, 0.25, 0.41, 0.6, 0.72, 0.8, 0.88, 0.945, 0.99)),
    "B": Processing(0.3, 0.85, 0.3, (0.01, 0.05, 0.19, 0.32, 0.52, 0.66, 0.74, 0.815, 0.9, 0.985)),
}


@dataclass(frozen=True, slots=True)
class Equipment:
    """What turns the patient's attenuation into a film."""

    detector: Detector
    processing: Processing


def equipment_of(center: Center) -> Equipment:
    """Return a center's equipment."""
    return Equipment(DETECTORS[center], PROCESSING[center])


def display_gray(density: Float32, coarse: Float32, beam: Beam, equipment: Equipment) -> Float32:
    """Return gray (size, size) in [0, 1], dense is white.

    The range comes from `coarse`, the healthy patient's attenuation, so that no finding changes it (a film and its twin
    differ only by the disease). Detail is enhanced and large structures are compressed, as on a digital workstation.
    """
    processing = equipment.processing
    random = draws(beam.patient.seed, "processing", beam.patient.center)
    edge, darker, flatter = processing.edge * random.uniform(0.6, 1.5), random.normal(0, 0.05), random.normal(1.0, 0.06)
    stops = np.linspace(_STOPS[0], _STOPS[-1], 256)
    curve = PchipInterpolator(_STOPS, processing.greys)(stops)
    place = relative_density(density, coarse, beam, equipment, edge, max(flatter, 0.8)) - np.float32(darker)
    return np.asarray(np.interp(place, stops, curve), np.float32)


def relative_density(
    density: Float32, coarse: Float32, beam: Beam, equipment: Equipment, edge: float | None = None, flatter: float = 1
) -> Float32:
    """Return the detector's density (size, size), scaled from lung (0) to mediastinum (1) of the healthy patient.

    Detail is enhanced by `edge`, or as this equipment does on average; large structures are compressed. `flatter`
    divides everything.
    """
    processing = equipment.processing
    more = np.float32(processing.edge if edge is None else edge)
    large, lung, mediastinum = _healthy_densities(coarse, beam, equipment)
    shown = density + more * (density - blur_map(density, processing.radius / beam.pixel))
    shown -= enlarge_map(processing.compress * large, beam.size)
    return np.asarray((shown - np.float32(lung)) / np.float32((mediastinum - lung) * flatter), np.float32)


def typical_grays(densities: Float64) -> Float64:
    """Return grays at densities scaled from lung (0) to mediastinum (1), between those of the two centers."""
    grays = np.mean([each.greys for each in PROCESSING.values()], axis=0)
    return np.asarray(PchipInterpolator(_STOPS, grays)(densities.clip(_STOPS[0], _STOPS[-1])))


def _healthy_densities(coarse: Float32, beam: Beam, equipment: Equipment) -> tuple[Float32, float, float]:
    """Return the large structures' density on the coarse grid, and the densities of lung and mediastinum."""
    coarse_pixel = beam.pixel * beam.size / coarse.shape[0]
    through = np.exp(-coarse)
    healthy = -np.log(through + scatter_signal(through, equipment.detector.scatter, coarse_pixel))
    floor = np.quantile(healthy, _AIR)
    large = gaussian_filter(np.maximum(healthy, floor), 3.0 / coarse_pixel, mode="nearest")
    return large, *_range(healthy - equipment.processing.compress * large)


def _range(healthy: Float32) -> tuple[float, float]:
    """Return the densities of lung and mediastinum: the dark and the bright parts of the film's middle."""
    high, wide = healthy.shape
    middle = healthy[high // 5 : -high // 4, wide // 5 : -wide // 5]
    lung, mediastinum = np.quantile(middle, (0.2, 0.9))
    return float(lung), float(mediastinum)


_PENUMBRA = 0.2  # cm, half the width of the beam's edge
_PALE = 0.97  # gray of an unexposed strip
_STRAY, _FAR = 0.2, 0.7  # darkening of the strip by scatter at the field's edge, and its range in cm
_LEAK = 0.05  # how much of the covered picture still shows


def collimate(film: Float32, beam: Beam) -> Float32:
    """Return the film with everything outside the field covered; the field is rotated a little if the tube was."""
    random = draws(beam.patient.seed, "collimator", beam.patient.center)
    portable = beam.patient.center == "B"
    angle = random.normal(0, 0.025 if portable else 0.006)
    gaps = random.uniform(0.35, 1.4 if portable else 0.8, 4)
    open_sides = random.uniform(size=4) < (0.5 if portable else 0.75)
    shutter = random.uniform(size=4) < 0.75
    over = random.uniform(-0.5, 0.12, 4)  # cm between shutter and beam edge, mostly inside it
    half = beam.pixel * beam.size / 2
    x = beam.x - np.float32(beam.middle)
    y = beam.y - np.float32(beam.y.mean())
    across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    down = y * np.float32(np.cos(angle)) - x * np.float32(np.sin(angle))
    for side, distance in enumerate((across, -across, down, -down)):
        if open_sides[side]:
            continue
        edge = half - float(gaps[side])
        pale = np.float32(_PALE) - np.float32(_STRAY) * np.exp(((edge - distance) / np.float32(_FAR)).clip(max=0))
        covered = smooth_step(distance, edge - _PENUMBRA, edge + _PENUMBRA)
        film = film + np.float32(1 - _LEAK) * covered * (pale - film)
        if shutter[side]:
            film = film * ((edge + over[side] - distance) / beam.pixel + 0.5).clip(0, 1)
    return np.asarray(film, np.float32)


def expose(attenuation: Float32, coarse: Float32, beam: Beam, equipment: Equipment | None = None) -> Float32:
    """Return the film (size, size) in [0, 1], dense is white, by default with the equipment of the patient's center.

    Scatter and display range come from `coarse`, the healthy patient's attenuation on a small grid, so that a finding
    changes the film only where it is.
    """
    used = equipment or equipment_of(beam.patient.center)
    film = display_gray(detect_signal(attenuation, coarse, beam, used.detector), coarse, beam, used)
    return np.asarray(add_markers(collimate(film, beam), beam).clip(0, 1), np.float32)
