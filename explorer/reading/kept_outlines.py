"""Keeps the outlines of an open film in little memory, so that they are drawn only once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.anatomy import Anatomy


@dataclass(frozen=True, slots=True, eq=False)
class KeptOutlines:
    """Plausible outlines: eight pixels of a mask (h, w) in a byte."""

    packed: Mapping[str, NDArray[np.uint8]]
    shape: tuple[int, int]

    @classmethod
    def of(cls, outlines: Anatomy) -> KeptOutlines:
        """Pack plausible outlines."""
        return cls({name: np.packbits(mask) for name, mask in outlines.items()}, outlines.shape)

    def unpacked(self) -> Anatomy:
        """Return the outlines as they were."""
        count = self.shape[0] * self.shape[1]
        masks = {
            name: np.unpackbits(packed, count=count).reshape(self.shape).astype(bool)
            for name, packed in self.packed.items()
        }
        return Anatomy(masks, "")
