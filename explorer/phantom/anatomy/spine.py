"""The thoracic spine: bodies that blur into one column, end plates, pedicles, laminae, spinous processes.

Sizes from anatomy books: thoracic bodies are 2.6 to 4 cm wide and 1.7 to 2.5 cm high, pedicles stand in the upper half
of the body 1 to 1.4 cm off the middle, spinous processes point down past the disk below.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.anatomy.form import Form
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points
from explorer.phantom.draws import draws
from explorer.phantom.shapes import Numbers, smooth

_FIRST = -1.5  # cm, top of T1 over the lungs' apex
_HIGH = np.linspace(1.85, 2.6, 12)  # cm from disk to disk
_DEPTH = -5.6  # z of the bodies
_ABOVE, _BELOW = 6, 5  # neck and loin vertebrae that continue the column


def vertebrae_of(form: Form) -> Points:
    """Middles (12, 3) of the bodies of T1 to T12; a round back foreshortens the steps and lies further behind."""
    tilt = form.spine_round * np.linspace(0.8, -0.5, 12)
    y = form.apex + _FIRST + np.cumsum(_HIGH * np.cos(tilt)) - _HIGH / 2
    along = np.linspace(0, 1, 12)
    bend = form.spine_bend * np.sin(np.pi * np.clip(along * 1.08 - 0.02, 0, 1))
    return np.stack([bend, y, _DEPTH - 2.5 * form.spine_round * np.sin(np.pi * along)], 1)


def column(form: Form, beam: Beam, vertebrae: Points) -> Floats:
    """Path (size, size) through the vertebrae from the neck to the loin."""
    random = draws(beam.patient.seed, "spine")
    middles, high = _continued(vertebrae)
    x, y = beam.at(float(vertebrae[:, 2].mean()))
    reach = 5.5 + np.abs(middles[:, 0]).max()
    columns = np.flatnonzero(np.abs(x[0]) < reach)
    film = np.zeros((beam.size, beam.size), np.float32)
    if not len(columns):
        return film
    window = slice(columns[0], columns[-1] + 1)
    across = x[:, window] - np.interp(y[:, 0], middles[:, 1], middles[:, 0])[:, None].astype(np.float32)
    tilts = form.spine_round * np.linspace(1, -0.6, len(middles)) + random.normal(0, 0.06, len(middles))
    for (_, middle, _), height, tilt in zip(middles, high, tilts, strict=True):
        rows = np.flatnonzero(np.abs(y[:, 0] - middle) < 1.6 * height)
        if len(rows):
            part = slice(rows[0], rows[-1] + 1)
            down = y[part] - np.float32(middle)
            film[part, window] += _vertebra(across[part], down, float(height), float(tilt), random)
    return film


def _continued(vertebrae: Points) -> tuple[Points, NDArray[np.float64]]:
    """The bodies with the neck's and the loin's, (n, 3), and their heights (n,)."""
    up = vertebrae[0] + np.arange(_ABOVE, 0, -1)[:, None] * np.array([0.0, -1.75, 0.0])
    down = vertebrae[-1] + np.arange(1, _BELOW + 1)[:, None] * np.array([0.0, 3.0, 0.0])
    middles = np.concatenate([up, vertebrae, down])
    return middles, np.clip(np.gradient(middles[:, 1]), 1.4, 3.0)


def _vertebra(x: Floats, y: Floats, height: float, tilt: float, random: np.random.Generator) -> Floats:
    """Path (rows, columns) through one vertebra; x (rows, columns) and y (rows, 1) from its middle."""
    wide = np.float32((0.82 + 0.33 * height) * random.normal(1, 0.03))  # half its body's width
    half = np.float32(height * 0.44)  # half its body's height
    wobble = random.normal(0, 0.08, 2).astype(np.float32)
    path = _body(x, y, wide, half, tilt)
    for sign in (-1, 1):
        off = sign * x
        ring = np.hypot((off - wide * np.float32(0.68) + wobble[0]) / 0.36, (y + half * np.float32(0.42)) / 0.52)
        path += 0.45 * _bell((ring - 0.85) / 0.28)  # a pedicle, seen end on
        reach = smooth(off, float(wide) * 0.8, float(wide)) * (1 - smooth(off, 2.9, 3.5))
        path += 0.5 * reach * _bell((y + half * np.float32(0.45) + np.float32(0.12) * off) / 0.36)  # transverse process
    lamina = np.exp(-((x / np.float32(0.95)) ** 4)) * np.exp(-(((y / half - 0.9) / 0.75) ** 4))
    tip = np.hypot((x + wobble[1]) / 0.30, (y - half * np.float32(1.25)) / 0.72)
    path += 0.4 * lamina + 0.3 * _bell((tip - 0.8) / 0.26)  # arch and spinous process
    return path


def _body(x: Floats, y: Floats, wide: np.float32, half: np.float32, tilt: float) -> Floats:
    """Path through a body of half width `wide` and half height `half`: waisted, with end plates that `tilt` opens."""
    waist = wide * (1 - np.float32(0.1) * (1 - (y / half) ** 2).clip(0))
    edge = smooth(waist - np.abs(x), -0.12, 0.22)
    u = (np.abs(x) / waist).clip(0, 1)
    inside = smooth(half - np.abs(y), -0.2, 0.2)
    round_side = np.float32(0.9) * np.sqrt(1 - np.float32(0.9) * u**3) + np.float32(0.14) * smooth(u, 0.8, 0.97)
    path = round_side * edge * inside
    opening = np.float32(0.08 + 0.45 * abs(tilt)) * np.sqrt((1 - u**2).clip(0))
    plates = _bell((np.abs(y) - half - opening) / 0.085) + _bell((np.abs(y) - half + opening) / 0.085)
    return np.asarray(path + 0.44 * plates * edge, np.float32)


def _bell(distance: Numbers) -> Floats:
    return np.asarray(np.exp(-(distance**2)), np.float32)
