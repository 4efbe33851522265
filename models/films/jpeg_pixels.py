"""JPEG pixels, to the last one: a stream that is cut or damaged is refused where libjpeg would go on in gray.

libjpeg fills what a damaged stream leaves out with gray and says so in a warning, which Pillow does not hand on. The
wrapper used here stops at the first warning. Both decode with libjpeg-turbo and give the same pixels.
"""

from __future__ import annotations

import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import Image

from models.films.film import DamagedData, UnreadableRadiograph


def decode_jpeg(stream: bytes, components: int) -> NDArray[np.uint8]:
    """Pixels (h, w) of one component, RGB (h, w, 3) of three or four.

    Raises DamagedData, or UnreadableRadiograph for colors that are stored in a way no film's are.
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
    if components == 4:  # inks are stored inverted, by Adobe's convention
        return np.asarray(Image.fromarray(255 - pixels, "CMYK").convert("RGB"))
    grey_or_rgb: NDArray[np.uint8] = pixels[..., 0] if components == 1 else pixels
    return grey_or_rgb


_COLORS = {1: "GRAY", 3: "RGB", 4: "CMYK"}
