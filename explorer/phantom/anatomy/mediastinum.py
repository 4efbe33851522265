"""What stands between the lungs: heart, great vessels, and the tissue around spine and esophagus."""

from __future__ import annotations

import numpy as np

from explorer.phantom.anatomy.aorta import aorta, great_vessels
from explorer.phantom.anatomy.form import Form
from explorer.phantom.anatomy.heart import carina_of, chambers, merged
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.scale import blurred
from explorer.phantom.shapes import smooth

_MOTION = 0.12  # cm, how far the borders move while the film is taken, and the fat that rounds their notches
_FAT = np.float32(2.4)  # cm of fat and pleura before and behind great vessels; half around the heart
_SHEATH = np.float32(1.2)  # cm of them at which most of it is there


def mediastinum(form: Form, beam: Beam, under: Floats) -> tuple[Floats, Floats]:
    """Paths (size, size) through heart and vessels with what is `under` the diaphragm, which they lie on, and through
    what is behind and before them."""
    vessels = merged([*great_vessels(form, beam), aorta(form, beam)])
    heart = _padded(merged(chambers(form, beam)), _FAT / 2)
    organs = blurred(merged([heart, _padded(vessels, _FAT)]), _MOTION / beam.pixel)
    return merged([organs, under]), _middle(form, beam)


def _padded(path: Floats, fat: np.float32) -> Floats:
    return np.asarray(path + fat * (1 - np.exp(-path / _SHEATH)), np.float32)


def _middle(form: Form, beam: Beam) -> Floats:
    """Spine, esophagus and fat: the lungs touch each other in front of them and behind the heart."""
    carina = carina_of(form)[1]
    x, y = beam.at(-4.0)
    bend = np.float32(form.spine_bend) * np.sin(np.pi * ((y - 1) / 24).clip(0, 1))
    wide = 2.0 + 0.9 * (1 - smooth(y, form.apex - 1, carina - 2)) + 0.5 * smooth(y, carina + 6, carina + 18)
    spine = 6.5 * (1 - ((x - bend) / (wide + 1.2)) ** 2).clip(0) ** 1.3
    fx, fy = beam.at(4.0)
    narrow = 2.4 - 0.9 * smooth(fy, form.apex + 2, carina) + 1.2 * smooth(fy, carina + 2, carina + 8)
    front = 4.0 * (1 - (np.abs(fx - 0.4 * bend) / (narrow + 0.3)) ** 2).clip(0)  # organs follow a bent spine in part
    return np.asarray(spine + front, np.float32)
