"""How a thumbnail is drawn: 160 px on its longer side, 8-bit gray, WebP."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

THUMBNAIL_PIXELS = 160  # longer side
WEBP_QUALITY = 80
THUMBNAIL_LOOK = f"{THUMBNAIL_PIXELS} px, WebP {WEBP_QUALITY}"


def webp_of(pixels: NDArray[np.float32]) -> bytes:
    """Return a film (h, w) in [0, 1] as a thumbnail."""
    picture = io.BytesIO()
    shrunk_image(pixels, THUMBNAIL_PIXELS).save(picture, "WEBP", quality=WEBP_QUALITY)
    return picture.getvalue()


def shrunk_image(pixels: NDArray[np.float32], longest: int) -> Image.Image:
    """Return a film (h, w) in [0, 1] as 8-bit gray with `longest` pixels on its longer side; never enlarges."""
    height, width = pixels.shape
    scale = min(1.0, longest / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = Image.fromarray(pixels).resize(size, Image.Resampling.BOX)
    return Image.fromarray(np.rint(np.asarray(small) * 255).clip(0, 255).astype(np.uint8))
