"""Decodes all pixels of a JPEG and refuses a truncated or damaged stream, which libjpeg would fill with gray.

libjpeg only warns about the gray fill, and Pillow drops the warning. The wrapper used here stops at the first warning.
Both decode with libjpeg-turbo and give the same pixels.
"""

from __future__ import annotations

import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import Image

from models.films.film import DamagedData, UnreadableRadiograph


def decode_jpeg(stream: bytes, components: int) -> NDArray[np.uint8]:
    """Return pixels (h, w) for one component, or RGB (h, w, 3) for three or four.

    Raises DamagedData, or UnreadableRadiograph for a color layout that films do not have.
    """
    colors = _COLORS.get(components)
    if colors is None:
        raise DamagedData
    try:
        pixels = simplejpeg.decode_jpeg(stream, colorspace=colors, strict=True)
    except ValueError as error:
        if "subsampling" in str(error):
            raise UnreadableRadiograph(
                "The JPEG stores its colors in an unusual way", "A film has no colors. Export it in gray."
            ) from error
        raise DamagedData from error
    if components == 4:  # Adobe's convention stores CMYK inverted
        return np.asarray(Image.fromarray(255 - pixels, "CMYK").convert("RGB"))
    grey_or_rgb: NDArray[np.uint8] = pixels[..., 0] if components == 1 else pixels
    return grey_or_rgb


_COLORS = {1: "GRAY", 3: "RGB", 4: "CMYK"}
