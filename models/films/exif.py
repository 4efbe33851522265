"""Reads EXIF orientation, the one EXIF value that changes how a picture is shown."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

ORIENTATION = 0x0112


def exif_orientation(tiff: bytes) -> int:
    """Return the orientation, 1 to 8, from the first directory of an EXIF block; 1 if absent or damaged."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(order + "L", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, start)
        for entry in range(start + 2, start + 2 + 12 * count, 12):
            tag, kind, _, value = struct.unpack_from(order + "HHLH", tiff, entry)
            if tag == ORIENTATION:
                return value if kind == 3 and 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1


def upright(image: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Turn and mirror an image (h, w, ...) according to its EXIF orientation."""
    if orientation in (5, 6, 7, 8):
        image = np.swapaxes(image, 0, 1)
    if orientation in (3, 4, 7, 8):
        image = image[::-1]
    if orientation in (2, 3, 6, 7):
        image = image[:, ::-1]
    return image
