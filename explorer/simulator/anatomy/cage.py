"""The inside of the rib cage: its outline on the film, and its depth from back to front."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32, Floating

_APEX = 0.36  # x of the lung's apex, as a share of the half width
_WIDEST = 21.5  # cm below the apex at which the chest is widest; it narrows slightly at the lowest ribs
_ROUND = 2.5  # exponent of the cross-section: 2 is an ellipse, larger is boxier
_BLUNT = np.float32(0.018)  # fraction of the cross-section that is rounded off at the side: about 2 mm
_SCALLOP = 0.05  # cm by which the lung bulges between the ribs
_SPACE = 2.3  # cm between ribs at the side


def chest_half_width(form: Form, y: Floating) -> Floating:
    """Return the distance from the midline to the inner side wall at heights `y`."""
    t = ((y - np.float32(form.apex)) / np.float32(_WIDEST)).clip(0, 1)
    narrower = 1 - 0.045 * ((y - np.float32(form.apex + 19)) / 12).clip(0, 1) ** 2
    return np.asarray(form.half_width * (_APEX + (1 - _APEX) * np.sqrt(1 - (1 - t) ** 2.2)) * narrower)


def chest_depth(form: Form, y: Floating) -> Floating:
    """Return the depth of the cavity at heights `y`: small behind the first ribs, full below the fifth."""
    t = ((y - np.float32(form.apex)) / 15).clip(0, 1)
    return np.asarray(2 * form.half_depth * (0.28 + 0.72 * np.sqrt(1 - (1 - t) ** 2)))


def chest_cavity(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the rib cage, including spine, heart and everything below the diaphragm."""
    x, y = beam.at(0)
    half = chest_half_width(form, y)
    sides = [half + _bulges(beam, side, y - np.float32(form.apex)) for side in ("right", "left")]
    inside = (1 - (np.abs(x) / np.where(x < 0, *sides)) ** np.float32(_ROUND)).clip(0)
    across = inside ** np.float32(1 / _ROUND) * inside / (inside + _BLUNT)
    apex = np.float32(_APEX * form.half_width)
    top = form.apex + 0.12 * (apex - np.abs(x)).clip(0) ** 2
    dome = 1 - (1 - ((y - top) / 4.0).clip(0, 1)) ** 2
    return np.asarray(chest_depth(form, y) * across * np.sqrt(dome), np.float32)


def _bulges(beam: Beam, side: str, y: Float32) -> Float32:
    """Return how far (cm) the side wall bulges between the ribs, asymmetrically, at heights below the apex."""
    random = draws(beam.patient.seed, "wall", side)
    phase, beat, lean = (np.float32(each) for each in random.uniform(0, 2 * np.pi, 3))
    turn = y * np.float32(2 * np.pi / _SPACE) + phase + np.sin(y * np.float32(0.45) + beat)
    return np.asarray(_SCALLOP * np.sin(turn) * smooth_step(y, 3, 7) + 0.08 * np.sin(y * np.float32(0.22) + lean))


def chest_walls(form: Form) -> dict[str, Points]:
    """Return points along the inner side walls, from the apex to below the costophrenic angles."""
    y = form.apex + np.concatenate([np.linspace(0.1, 4, 10), np.linspace(5, 30, 26)])
    x = chest_half_width(form, y)
    return {side: np.stack([sign * x, y, np.zeros_like(y)], 1) for side, sign in (("right", -1.0), ("left", 1.0))}
