"""Moves and resizes films (h, w) with Pillow, whose single-channel float images lose no gray."""

from __future__ import annotations

import numpy as np
from PIL import Image

from models.array_types import Float32

Box = tuple[float, float, float, float]  # left, upper, right, lower, in pixels


def resized(pixels: Float32, height: int, width: int, box: Box | None = None, *, smooth: bool = True) -> Float32:
    """Return the film, or a box of it, at another size; averaged when it shrinks, and when it grows if not `smooth`."""
    method = Image.Resampling.BILINEAR if smooth else Image.Resampling.BOX
    image = Image.fromarray(np.ascontiguousarray(pixels, np.float32))
    return np.asarray(image.resize((width, height), method, box=box))


def moved(pixels: Float32, matrix: tuple[float, float, float, float, float, float]) -> Float32:
    """Return the film whose pixel (x, y) is the film's at (a x + b y + c, d x + e y + f); what comes in is air."""
    image = Image.fromarray(np.ascontiguousarray(pixels, np.float32))
    return np.asarray(image.transform(image.size, Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR))
