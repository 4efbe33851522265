"""Draw the mediastinum: heart, great vessels, and the tissue around the spine and esophagus.

Structures at different depths add up along the ray; the rest of the chest is lung. That is why the descending aorta,
the spine and the azygoesophageal line show through the heart.
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.aorta import aortic_arch, descending_aorta
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.great_vessels import arteries, azygos, veins
from explorer.simulator.anatomy.heart import carina_position, fat_pads, heart_chambers, merge_paths
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.scale import blur_map
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32

_MOTION = 0.12  # cm, motion blur of the borders, and the fat that rounds their notches
_SHEATH = np.float32(2.0)  # cm of vessel at which most of its fat is present
_SWAY = 0.2  # cm, waviness of the borders beside the trachea
_WAVE = 0.16  # cm, waviness of the paraspinal pleura over disks and osteophytes


def mediastinum(form: Form, beam: Beam, under: Float32) -> tuple[Float32, Float32]:
    """Return paths (size, size) through the heart and great vessels, and through the tissue behind and in front of
    them.

    The first path includes `under`, the tissue below the diaphragm that the heart rests on.
    """
    fat = np.float32(np.clip(1.3 + 0.7 * beam.patient.habitus, 0.6, 3.0))  # cm, front and back
    vessels = merge_paths([aortic_arch(form, beam), arteries(form, beam), veins(form, beam)])
    heart = _add_fat(merge_paths([*heart_chambers(form, beam), *fat_pads(form, beam)]), np.float32(1.0))
    organs = blur_map(merge_paths([heart, _add_fat(vessels, fat)]), _MOTION / beam.pixel)
    back = np.maximum(descending_aorta(form, beam), azygos(form, beam))
    return merge_paths([organs, under]), np.asarray(
        back + _posterior_path(form, beam) + _anterior_path(form, beam), np.float32
    )


def _add_fat(path: Float32, fat: np.float32) -> Float32:
    return np.asarray(path + fat * (1 - np.exp(-path / _SHEATH)), np.float32)


def _posterior_path(form: Form, beam: Beam) -> Float32:
    """Return the path through the spine and esophagus.

    The pleura runs close to the vertebral bodies, wider at the apex. Below the azygos arch it passes in front of
    them, where the right lung extends behind the heart.
    """
    random = draws(beam.patient.seed, "paraspinal", beam.patient.anatomy)
    carina = carina_position(form)[1]
    x, y = beam.at(-4.5)
    x = x - _spine_offset(form, y)
    waves = [
        _WAVE * np.interp(y, form.apex + np.arange(-6, 34, 2.2), random.normal(0, 0.7, 19)).astype(np.float32)
        for _ in range(2)
    ]
    wide = 2.35 + 0.1 * beam.patient.habitus + 1.2 * (1 - smooth_step(y, form.apex - 1.5, form.apex + 4.5))
    wide = wide + 0.4 * smooth_step(y, carina + 6, carina + 17)
    right, left = (-x / (wide + waves[0])).clip(0), (x / (wide + waves[1])).clip(0)
    side = np.maximum(right, left)
    round_off = (1 - side * side).clip(0)
    spine = 5.2 * round_off * round_off
    line = -1.5 + 1.2 * smooth_step(y, carina, carina + 5) - 0.4 * smooth_step(y, carina + 7, carina + 15)
    gullet = 1.7 * smooth_step(x, line - 0.1, line + 0.35) * (1 - smooth_step(x, 0.9, 1.8))
    return np.asarray(spine + gullet, np.float32)


def _anterior_path(form: Form, beam: Beam) -> Float32:
    """Return the path through the retrosternal fat: wide above the arch and in front of the heart."""
    carina = carina_position(form)[1]
    x, y = beam.at(4.5)
    stout = float(np.clip(beam.patient.habitus, -1, 2))
    narrow = (
        1.5
        + 0.3 * stout
        + 1.1 * (1 - smooth_step(y, form.apex - 1, carina - 2))
        + smooth_step(y, carina + 3, carina + 10)
    )
    across = (x - 0.4 * _spine_offset(form, y)) / narrow.astype(np.float32)  # organs partly follow a curved spine
    front = (2.6 + 0.5 * stout) * (1 - across * across).clip(0)
    tx, ty = beam.at(-0.5)  # around the trachea
    off = (tx + 0.1) / np.where(tx < 0, *_paratracheal_widths(form, beam, ty))
    about = (9.2 + 0.7 * stout) * (1 - off * off).clip(0)
    about = about * smooth_step(ty, form.apex - 2, form.apex + 3) * (1 - smooth_step(ty, carina + 1, carina + 6))
    return np.asarray(front + about, np.float32)


def _paratracheal_widths(form: Form, beam: Beam, y: Float32) -> tuple[Float32, Float32]:
    """Return how far tissue extends right and left of the trachea.

    The left border is concave above the aortic arch. The right one follows the superior vena cava and widens
    downward.
    """
    carina = carina_position(form)[1]
    stout = float(np.clip(beam.patient.habitus, -1, 2))
    random = draws(beam.patient.seed, "windpipe", beam.patient.anatomy)
    (beat, turn), (phase, late) = random.uniform(0.35, 0.65, 2), random.uniform(0, 2 * np.pi, 2)
    base = 2.35 + 0.35 * stout
    right = base + 0.75 * smooth_step(y, form.apex + 2, carina + 1) + _SWAY * np.sin(y * beat + phase)
    hollow = np.exp(-(((y - form.apex - 0.55 * (carina - form.apex)) / 2.6) ** 2))
    left = base + 0.6 * smooth_step(y, form.apex + 2, carina) - 0.4 * hollow + _SWAY * np.sin(y * turn + late)
    return np.asarray(right, np.float32), np.asarray(left, np.float32)


def _spine_offset(form: Form, y: Float32) -> Float32:
    return np.asarray(form.spine_bend * np.sin(np.pi * ((y - 1) / 24).clip(0, 1)), np.float32)
