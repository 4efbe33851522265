"""Draws white letters on a film (h, w) in [0, 1]."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from models.array_types import Float32


def with_text(pixels: Float32, text: str, left: float, top: float, height: float) -> Float32:
    """Return the film with text whose upper left corner is at shares of width and height; `height` is one, too."""
    rows, columns = pixels.shape
    mask = Image.new("L", (columns, rows))
    font = ImageFont.load_default(size=max(6, round(height * rows)))
    ImageDraw.Draw(mask).text((left * columns, top * rows), text, fill=255, font=font)
    cover = np.asarray(mask, np.float32) / np.float32(255)
    written: Float32 = pixels * (1 - cover) + cover
    return written
