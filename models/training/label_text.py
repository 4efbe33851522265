"""Embeds the names of findings with the shipped text model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from models.array_types import Float32

TEXT_MODEL = "nih-mini-vlm"  # its text tower reads any finding's name
TEXT_WIDTH = 384  # dimensions of its embeddings


def label_vectors(names: Sequence[str]) -> Float32:
    """Return unit vectors (k, TEXT_WIDTH) of the findings' names in lower case."""
    return _vectors(tuple(names)).copy()


@cache
def _vectors(names: tuple[str, ...]) -> Float32:
    from models.load import vlm  # takes seconds, which only networks that read text wait for

    found: Float32 = vlm(TEXT_MODEL, "cpu").embed_texts([name.lower() for name in names]).astype(np.float32)
    return found
