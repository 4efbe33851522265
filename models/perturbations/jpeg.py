"""Compresses a film as JPEG, which leaves blocks and rings."""

from __future__ import annotations

import numpy as np
import simplejpeg

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def compress(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Write the film as JPEG with the quality `dial`, and read it again."""
    gray = np.ascontiguousarray(np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)[..., None]
    data = simplejpeg.encode_jpeg(gray, quality=max(1, round(dial)), colorspace="GRAY")
    read: Float32 = simplejpeg.decode_jpeg(data, colorspace="GRAY")[..., 0].astype(np.float32) / np.float32(255)
    return read


JPEG = Perturbation(
    "jpeg",
    "JPEG compression",
    "MedMNIST-C, JPEG compression: Di Salvo et al., arXiv 2406.17536",
    compress,
    "quality",
    95,
    1,
    (50, 30, 15, 10, 7),
)
