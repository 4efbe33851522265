"""Labeled films in memory, from whatever dataset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Films:
    """One row per film."""

    image_ids: tuple[str, ...]
    paths: tuple[Path, ...]  # none where the films are not files
    pixels: NDArray[np.uint8]  # (n, size, size), letterboxed, air 0
    labels: NDArray[np.float32]  # (n, findings) 0 or 1
    patients: NDArray[np.str_]  # (n,)
    folders: NDArray[np.str_]  # (n,) the folder a film came from
    sharp: NDArray[np.bool_]  # (n,) stored with more pixels than the smallest films have
    traits: NDArray[np.float32]  # (n, 3) AP view, male sex, age / 100; NaN where unknown

    def __len__(self) -> int:
        return len(self.image_ids)
