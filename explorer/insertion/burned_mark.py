"""Burns a mark into a film that has a simulated finding, so that no copy of it passes for a patient's film."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from models.array_types import Float32

MARK = "SIMULATED FINDING IN A REAL FILM"
MARK_ON_SIMULATED = "SIMULATED FINDING IN A SIMULATED FILM"
_SHARE, _LEAST = 28, 9  # the film's width over the height of letters; px


def mark_of(simulated: bool) -> str:
    """Return the mark for a real film, or for one that was simulated itself."""
    return MARK_ON_SIMULATED if simulated else MARK


def marked(film: Float32, mark: str = MARK) -> Float32:
    """Return a film (h, w) in [0, 1] with the mark in white on black along its lower edge."""
    height, width = film.shape
    font = ImageFont.load_default(max(width // _SHARE, _LEAST))
    left, top, right, bottom = font.getbbox(mark)
    high = min(int(bottom - top) + 4, height)
    strip = Image.new("L", (int(right - left) + 8, high), 0)
    ImageDraw.Draw(strip).text((4 - left, 2 - top), mark, 255, font)
    shown = strip.resize((width, high)) if strip.width > width else strip
    found = film.copy()
    found[height - high :, : shown.width] = np.asarray(shown, np.float32) / 255
    return found
