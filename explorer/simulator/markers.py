"""Burned-in markers: a side letter and, at center B, the projection. Letters are drawn as strokes defined here."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.version import POSTURE_DRAWING
from models.array_types import Float32

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
# Not in _STROKES: initials are chosen at random from its letters, on films whose scores are already stored.
_LETTERS = {**_STROKES, "C": (((4, 1), (3, 0), (1, 0), (0, 1), (0, 5), (1, 6), (3, 6), (4, 5)),)}
_WORDS = ("PORTABLE", "SUPINE", "BED")


def add_markers(film: Float32, beam: Beam) -> Float32:
    """Return the film with its markers: at center A a lead letter laid next to the patient, often with the
    radiographer's initials; at center B a letter on a plate and, written by the workstation, the view."""
    random = draws(beam.patient.seed, "markers", beam.patient.center)
    left = bool(random.uniform() < 0.8)
    film = film.copy()
    gray = float(random.uniform(0.9, 1.0))
    (_draw_lead_letter if beam.patient.center == "A" else _draw_plate_letter)(film, beam, random, left, gray)
    return film


def _draw_lead_letter(film: Float32, beam: Beam, random: np.random.Generator, left: bool, gray: float) -> None:
    x, y = (1 if left else -1) * random.uniform(0.405, 0.445) + 0.5, random.uniform(0.05, 0.19)
    high, turn = random.uniform(0.028, 0.036), float(random.normal(0, 0.12))
    _write(film, "L" if left else "R", x, y, high, gray, turn, 0.75)
    initials = "".join(random.choice(list(_STROKES), 2))
    if random.uniform() < 0.45:  # below the letter, rotated with it
        down = 1.05 * high
        _write(film, initials, x - down * np.sin(turn), y + down * np.cos(turn), 0.45 * high, gray, turn, 0.75)


def _draw_plate_letter(film: Float32, beam: Beam, random: np.random.Generator, left: bool, gray: float) -> None:
    x = (1 if left else -1) * random.uniform(0.42, 0.447) + 0.5
    y, high = random.choice([random.uniform(0.08, 0.2), random.uniform(0.25, 0.55)]), random.uniform(0.026, 0.036)
    if random.uniform() < 0.6:
        _plate(film, x, y, 0.75 * high, float(random.uniform(0.25, 0.5)))
    _write(film, "L" if left else "R", x, y, high, gray, 0.0, 0.45)
    word = _WORDS[int(random.integers(len(_WORDS)))] if beam.patient.view == "AP" else ""
    if word and beam.patient.drawing >= POSTURE_DRAWING:
        word = "SUPINE" if beam.patient.lying else "ERECT"
    corner, line = (0.1 if random.uniform() < 0.6 else 0.9), random.uniform(0.025, 0.05)
    _write(film, word, corner, line, 0.015, gray, 0.0)
    _write(film, beam.patient.view, corner, line + 0.028, 0.015, gray, 0.0)


def _plate(film: Float32, x: float, y: float, half: float, share: float) -> None:
    """Draw a plastic plate, 1.5 times as wide as high, that reduces the film's contrast; in place."""
    size = film.shape[0]
    left, right = (int(np.clip(round((x + side * 0.75 * half) * size), 0, size)) for side in (-1, 1))
    top, bottom = (int(np.clip(round((y + side * half) * size), 0, size)) for side in (-1, 1))
    window = film[top:bottom, left:right]
    window += np.float32(share) * (np.float32(0.62) - window)


def _write(
    film: Float32, text: str, x: float, y: float, height: float, gray: float, turn: float, bold: float = 0.5
) -> None:
    """Burn in text centered at (x, y) with letters of `height`, all as shares of the film's side; in place.

    `bold` is half a stroke's width in sixths of the height.
    """
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
    ink = (0.5 + max(bold * unit, 0.45) - distance).clip(0, 1).astype(np.float32)
    window = film[low[1] : high[1], low[0] : high[0]]
    window += ink * (np.float32(gray) - window)


@cache
def _segments(text: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return starts and ends (n, 2) of a text's strokes around its center, in grid steps."""
    width = 5.6 * len(text) - 1.6
    lines = [
        (np.array(stroke, float) + (5.6 * place - width / 2, -3.0))
        for place, letter in enumerate(text)
        for stroke in _LETTERS.get(letter, ())
    ]
    if not lines:
        return np.zeros((0, 2)), np.zeros((0, 2))
    return np.concatenate([line[:-1] for line in lines]), np.concatenate([line[1:] for line in lines])
