"""Simulates the detector's signal: blurred primary quanta, scatter, the grid's shadow, noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.scale import enlarge_map
from models.array_types import Float32

_SPREAD = 4.0  # cm, range of scatter


@dataclass(frozen=True, slots=True)
class Detector:
    """A center's equipment. Lengths in cm."""

    scatter: float  # ratio of scattered to primary quanta where the patient scatters most
    quanta: float  # quanta per square cm outside the patient
    blur: float  # standard deviation of the blur from focal spot and detector
    grain: float  # standard deviation of the light from one quantum, which makes noise fall with frequency
    lines: float  # maximum strength of the anti-scatter grid's shadow, as a share of the signal
    cutoff: float  # maximum loss at one side of a decentered grid


DETECTORS = {
    "A": Detector(scatter=0.25, quanta=2.4e7, blur=0.013, grain=0.02, lines=0.0, cutoff=0.0),
    "B": Detector(scatter=0.55, quanta=3.6e6, blur=0.024, grain=0.024, lines=0.006, cutoff=0.22),
}


def scatter_signal(transmitted: Float32, scatter: float, pixel: float) -> Float32:
    """Return the scattered signal behind a transmission; it has a long range and arises only inside the patient."""
    born = transmitted * (1 - transmitted)
    strayed = gaussian_filter(born, _SPREAD / pixel, mode="nearest")
    return np.asarray(scatter * strayed + np.float32(0.004), np.float32)


def scatter_on_film(coarse: Float32, beam: Beam, equipment: Detector) -> Float32:
    """Return the scattered signal (size, size) behind `coarse`, the healthy patient's attenuation on a small grid."""
    pixel = beam.pixel * beam.size / coarse.shape[0]
    return enlarge_map(scatter_signal(np.exp(-coarse), equipment.scatter, pixel), beam.size)


def detect_signal(attenuation: Float32, coarse: Float32, beam: Beam, equipment: Detector) -> Float32:
    """Return the density (size, size) that the detector reads: minus the log of its signal relative to the open beam.

    Scatter is computed from `coarse`, the healthy patient's attenuation on a small grid, so that a finding changes the
    film only where it is.
    """
    size = beam.size
    signal = np.exp(-attenuation)
    if equipment.blur / beam.pixel > 0.25:
        signal = gaussian_filter(signal, equipment.blur / beam.pixel, mode="nearest", truncate=3)
    signal += scatter_on_film(coarse, beam, equipment)
    signal *= _grid(equipment, beam)
    exposure = 2 ** draws(beam.patient.seed, "exposure").uniform(-0.6, 0.9)
    count = equipment.quanta * exposure * beam.pixel**2
    noise = draws(beam.patient.seed, "noise", str(size)).standard_normal(signal.shape, np.float32)
    if equipment.grain / beam.pixel > 0.25:
        noise = gaussian_filter(noise, equipment.grain / beam.pixel, truncate=3)
    signal += np.sqrt(signal / np.float32(count)) * noise
    return -np.log(np.maximum(signal, np.float32(1e-4)))


def _grid(equipment: Detector, beam: Beam) -> Float32:
    """Return the grid's transmission (1, size): its lines, and cutoff toward one side."""
    random = draws(beam.patient.seed, "grid")
    period, phase = random.uniform(0.13, 0.3), random.uniform(0, 2 * np.pi)
    side = random.uniform(-1, 1)
    strength = equipment.lines * random.uniform(0, 1)  # grids differ in quality
    seen = strength * np.sinc(beam.pixel / period)  # a pixel averages over the lines
    lines = 1 + seen * np.cos(beam.x * np.float32(2 * np.pi / period) + np.float32(phase))
    across = (beam.x - np.float32(beam.middle)) / np.float32(beam.field)  # -0.5 .. 0.5
    return np.asarray(lines * (1 - equipment.cutoff * np.abs(side) * (0.5 + np.sign(side) * across)), np.float32)
