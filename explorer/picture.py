"""A film as an image the browser can take apart again: 16 bits, because 8 show bands under a narrow window."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from PIL import Image

LONGEST = 1024
TOP = 65535  # the level of a pixel of 1.0
SIGNATURE = b"\x89PNG\r\n\x1a\n"
RGB = 2  # PNG color type
UP = 2  # PNG filter: a byte is stored as its difference from the one above


def packed_png(pixels: NDArray[np.float32], longest: int = LONGEST) -> tuple[bytes, int]:
    """`pixels` (h, w) in [0, 1] as a PNG of at most `longest` pixels a side, and its checksum.

    A level is round(65535 v), its high byte in red, its low byte in green; blue is 0, and there is no alpha, because
    a browser multiplies colors by it. The checksum, the sum of all levels modulo 2**32, tells the page whether the
    browser handed it the same levels. A film of 1,024 x 1,024 takes about 30 ms.
    """
    levels = _levels(_shrunk(pixels, longest))
    colors = np.zeros((*levels.shape, 3), dtype=np.uint8)
    colors[..., 0] = levels >> 8
    colors[..., 1] = levels & 255
    return _png(colors), int(levels.sum(dtype=np.uint64) % 2**32)


def _shrunk(pixels: NDArray[np.float32], longest: int) -> NDArray[np.float32]:
    height, width = pixels.shape
    scale = min(1.0, longest / max(height, width))
    if scale == 1:
        return pixels
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.LANCZOS))  # mode F: no rounding on the way


def _levels(pixels: NDArray[np.float32]) -> NDArray[np.uint16]:
    # Lanczos overshoots at edges, so a shrunk film may leave [0, 1].
    return np.rint(np.clip(pixels, 0, 1) * TOP).astype(np.uint16)


def _png(colors: NDArray[np.uint8]) -> bytes:
    """A PNG of `colors` (h, w, 3), a third of Pillow's time: one filter for all rows, and no search for repetitions.

    Low bytes are close to noise, so choosing among filters and searching would make the file no smaller.
    """
    height, width, _ = colors.shape
    rows = np.full((height, 1 + 3 * width), UP, dtype=np.uint8)
    rows[:, 1:] = np.diff(colors.reshape(height, -1), axis=0, prepend=np.uint8(0))
    deflate = zlib.compressobj(level=1, strategy=zlib.Z_HUFFMAN_ONLY)
    header = struct.pack(">2I5B", width, height, 8, RGB, 0, 0, 0)
    body = deflate.compress(rows.tobytes()) + deflate.flush()
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
