"""What stands between the lungs: heart, great vessels, and the tissue around spine and esophagus.

Things at different depths add up along the ray; what is left of the chest is lung. So the descending aorta, the spine
and the azygoesophageal line are seen through the heart, and the cava is fainter than what lies behind the sternum.
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.aorta import arch, descending
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.great_vessels import arteries, azygos, veins
from explorer.simulator.anatomy.heart import carina_of, chambers, merged, pads
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.scale import blurred
from explorer.simulator.shapes import smooth
from models.array_types import Float32

_MOTION = 0.12  # cm, how far the borders move while the film is taken, and the fat that rounds their notches
_SHEATH = np.float32(2.0)  # cm of a vessel at which most of its fat is there
_SWAY = 0.2  # cm that the borders beside the windpipe wander
_WAVE = 0.16  # cm that the pleura beside the spine swings out, over disks and spurs


def mediastinum(form: Form, beam: Beam, under: Float32) -> tuple[Float32, Float32]:
    """Paths (size, size) through heart and vessels with what is `under` the diaphragm, which they lie on, and through
    what is behind and before them."""
    fat = np.float32(np.clip(1.3 + 0.7 * beam.patient.habitus, 0.6, 3.0))  # cm before and behind great vessels
    vessels = merged([arch(form, beam), arteries(form, beam), veins(form, beam)])
    heart = _padded(merged([*chambers(form, beam), *pads(form, beam)]), np.float32(1.0))
    organs = blurred(merged([heart, _padded(vessels, fat)]), _MOTION / beam.pixel)
    back = np.maximum(descending(form, beam), azygos(form, beam))
    return merged([organs, under]), np.asarray(back + _behind(form, beam) + _before(form, beam), np.float32)


def _padded(path: Float32, fat: np.float32) -> Float32:
    return np.asarray(path + fat * (1 - np.exp(-path / _SHEATH)), np.float32)


def _behind(form: Form, beam: Beam) -> Float32:
    """Spine and esophagus. The pleura runs close beside the bodies, wider at the apex, and from the azygos arch down
    in front of them, where the right lung reaches in behind the heart."""
    random = draws(beam.patient.seed, "paraspinal", beam.patient.anatomy)
    carina = carina_of(form)[1]
    x, y = beam.at(-4.5)
    x = x - _bend(form, y)
    waves = [
        _WAVE * np.interp(y, form.apex + np.arange(-6, 34, 2.2), random.normal(0, 0.7, 19)).astype(np.float32)
        for _ in range(2)
    ]
    wide = 2.35 + 0.1 * beam.patient.habitus + 1.2 * (1 - smooth(y, form.apex - 1.5, form.apex + 4.5))
    wide = wide + 0.4 * smooth(y, carina + 6, carina + 17)
    right, left = (-x / (wide + waves[0])).clip(0), (x / (wide + waves[1])).clip(0)
    side = np.maximum(right, left)
    round_off = (1 - side * side).clip(0)
    spine = 5.2 * round_off * round_off
    line = -1.5 + 1.2 * smooth(y, carina, carina + 5) - 0.4 * smooth(y, carina + 7, carina + 15)
    gullet = 1.7 * smooth(x, line - 0.1, line + 0.35) * (1 - smooth(x, 0.9, 1.8))
    return np.asarray(spine + gullet, np.float32)


def _before(form: Form, beam: Beam) -> Float32:
    """Fat behind the sternum: the lungs touch before the arch, and part above it and in front of the heart."""
    carina = carina_of(form)[1]
    x, y = beam.at(4.5)
    stout = float(np.clip(beam.patient.habitus, -1, 2))
    narrow = 1.5 + 0.3 * stout + 1.1 * (1 - smooth(y, form.apex - 1, carina - 2)) + smooth(y, carina + 3, carina + 10)
    across = (x - 0.4 * _bend(form, y)) / narrow.astype(np.float32)  # organs follow a bent spine in part
    front = (2.6 + 0.5 * stout) * (1 - across * across).clip(0)
    tx, ty = beam.at(-0.5)  # about the windpipe
    off = (tx + 0.1) / np.where(tx < 0, *_beside_windpipe(form, beam, ty))
    about = (9.2 + 0.7 * stout) * (1 - off * off).clip(0)
    about = about * smooth(ty, form.apex - 2, form.apex + 3) * (1 - smooth(ty, carina + 1, carina + 6))
    return np.asarray(front + about, np.float32)


def _beside_windpipe(form: Form, beam: Beam, y: Float32) -> tuple[Float32, Float32]:
    """How far tissue reaches to the right and to the left of the windpipe: over the arch the left side is hollow, and
    the right one follows the cava, outwards as it comes down."""
    carina = carina_of(form)[1]
    stout = float(np.clip(beam.patient.habitus, -1, 2))
    random = draws(beam.patient.seed, "windpipe", beam.patient.anatomy)
    (beat, turn), (phase, late) = random.uniform(0.35, 0.65, 2), random.uniform(0, 2 * np.pi, 2)
    base = 2.35 + 0.35 * stout
    right = base + 0.75 * smooth(y, form.apex + 2, carina + 1) + _SWAY * np.sin(y * beat + phase)
    hollow = np.exp(-(((y - form.apex - 0.55 * (carina - form.apex)) / 2.6) ** 2))
    left = base + 0.6 * smooth(y, form.apex + 2, carina) - 0.4 * hollow + _SWAY * np.sin(y * turn + late)
    return np.asarray(right, np.float32), np.asarray(left, np.float32)


def _bend(form: Form, y: Float32) -> Float32:
    return np.asarray(form.spine_bend * np.sin(np.pi * ((y - 1) / 24).clip(0, 1)), np.float32)
