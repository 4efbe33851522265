"""Burned-in markers: a side letter, at center B also how the film was taken. Letters are strokes of our own."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.beam import Beam, Floats
from explorer.phantom.draws import draws

# Polylines on a grid 4 wide and 6 high, y down.
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "A": (((0, 6), (2, 0), (4, 6)), ((0.7, 4), (3.3, 4))),
    "B": (((0, 3), (0, 0), (3, 0), (3.6, 1), (3.6, 2), (3, 3), (0, 3), (0, 6), (3, 6), (4, 5), (4, 4), (3, 3)),),
    "D": (((0, 0), (2.5, 0), (4, 1.5), (4, 4.5), (2.5, 6), (0, 6), (0, 0)),),
    "E": (((4, 0), (0, 0), (0, 6), (4, 6)), ((0, 3), (3, 3))),
    "I": (((2, 0), (2, 6)),),
    "L": (((0, 0), (0, 6), (3.6, 6)),),
    "N": (((0, 6), (0, 0), (4, 6), (4, 0)),),
    "O": (((1, 0), (3, 0), (4, 1), (4, 5), (3, 6), (1, 6), (0, 5), (0, 1), (1, 0)),),
    "P": (((0, 6), (0, 0), (3, 0), (4, 0.9), (4, 2.3), (3, 3.2), (0, 3.2)),),
    "R": (((0, 6), (0, 0), (3, 0), (4, 0.9), (4, 2.3), (3, 3.2), (0, 3.2)), ((2, 3.2), (4, 6))),
    "S": (((4, 1), (3, 0), (1, 0), (0, 0.9), (0, 2), (1, 3), (3, 3), (4, 4), (4, 5), (3, 6), (1, 6), (0, 5)),),
    "T": (((0, 0), (4, 0)), ((2, 0), (2, 6))),
    "U": (((0, 0), (0, 5), (1, 6), (3, 6), (4, 5), (4, 0)),),
}
_WORDS = ("PORTABLE", "SUPINE", "BED")


def marked(film: Floats, beam: Beam) -> Floats:
    """The film with its markers: the side in an upper corner, at center B view and circumstances under it."""
    random = draws(beam.patient.seed, "markers", beam.patient.center)
    left = random.uniform() < 0.8
    x = (1 if left else -1) * random.uniform(0.415, 0.445) + 0.5
    y = random.uniform(0.05, 0.16)
    grey = float(random.uniform(0.9, 1.0))
    film = film.copy()
    if beam.patient.center == "A":
        _write(film, "L" if left else "R", x, y, random.uniform(0.026, 0.034), grey, float(random.normal(0, 0.08)))
        return film
    _write(film, "L" if left else "R", x, y, random.uniform(0.034, 0.044), grey, 0.0)
    word = _WORDS[int(random.integers(len(_WORDS)))] if beam.patient.view == "AP" else ""
    shift = -0.03 if left else 0.03
    _write(film, f"{beam.patient.view}", x + shift, y + 0.06, 0.016, grey, 0.0)
    _write(film, word, x + shift, y + 0.088, 0.016, grey, 0.0)
    return film


def _write(film: Floats, text: str, x: float, y: float, height: float, grey: float, turn: float) -> None:
    """Burn in text centered at (x, y) with letters `height` high, all in shares of the film's side; in place."""
    size = film.shape[0]
    unit = height * size / 6  # px of a grid step
    a, b = _segments(text)
    if not len(a):
        return
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.array([[cos, sin], [-sin, cos]])
    a, b = (points @ turned * unit + np.array([x, y]) * size - 0.5 for points in (a, b))
    low = np.floor(np.minimum(a, b).min(0) - unit - 1).astype(int).clip(0, size)
    high = np.ceil(np.maximum(a, b).max(0) + unit + 2).astype(int).clip(0, size)
    columns, rows = np.arange(low[0], high[0]), np.arange(low[1], high[1])
    points = np.stack(np.broadcast_arrays(columns[None, :], rows[:, None]), -1)[:, :, None, :]
    along = b - a
    t = (((points - a) * along).sum(-1) / (along**2).sum(-1)).clip(0, 1)
    distance = np.sqrt(((points - a - t[..., None] * along) ** 2).sum(-1).min(-1))
    ink = (0.5 + max(0.5 * unit, 0.45) - distance).clip(0, 1).astype(np.float32)
    window = film[low[1] : high[1], low[0] : high[0]]
    window += ink * (np.float32(grey) - window)


@cache
def _segments(text: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Starts and ends (n, 2) of a text's strokes about its middle, in grid steps."""
    width = 5.6 * len(text) - 1.6
    lines = [
        (np.array(stroke, float) + (5.6 * place - width / 2, -3.0))
        for place, letter in enumerate(text)
        for stroke in _STROKES.get(letter, ())
    ]
    if not lines:
        return np.zeros((0, 2)), np.zeros((0, 2))
    return np.concatenate([line[:-1] for line in lines]), np.concatenate([line[1:] for line in lines])
