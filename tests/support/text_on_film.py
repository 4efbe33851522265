"""Text drawn into films the ways that devices burn it in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Film = NDArray[np.float32]
Box = tuple[float, float, float, float]  # top, left, bottom, right in pixels
STYLES = ("plain", "outlined", "boxed")


def drawn(film: Film, text: str, size: int, at: tuple[float, float], style: str = "plain") -> tuple[Film, Box]:
    """The film (h, w) with white text, and where it is; `size` in px, `at` (row, column) as shares of the room."""
    image = Image.fromarray(np.round(film * 255).astype(np.uint8))
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(size)
    left, top, right, bottom = pen.textbbox((0, 0), text, font)
    row = at[0] * max(0, image.height - bottom)
    column = at[1] * max(0, image.width - right)
    box = (row + top, column + left, row + bottom, column + right)
    if style == "boxed":
        pen.rectangle((box[1] - 3, box[0] - 3, box[3] + 3, box[2] + 3), fill=0)
    pen.text((column, row), text, 255, font, stroke_width=int(style == "outlined"), stroke_fill=0)
    return np.asarray(image).astype(np.float32) / 255, box
