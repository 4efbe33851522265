"""A film as an image the browser can draw."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

LONGEST = 1024


def png(pixels: NDArray[np.float32], longest: int = LONGEST) -> bytes:
    """An 8-bit grey PNG of `pixels` (h, w) in [0, 1], shrunk so that its longer side is at most `longest` pixels."""
    image = Image.fromarray(np.rint(pixels * 255).astype(np.uint8))
    scale = min(1.0, longest / max(image.size))
    if scale < 1:
        width, height = (max(1, round(side * scale)) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
