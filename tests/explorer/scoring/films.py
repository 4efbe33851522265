"""Many small films on disk that all differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image


def write_films(folder: Path, n: int, side: int = 96) -> list[str]:
    """`n` PNG files of smooth noise; their names."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{number:04}.png" for number in range(n)]
    for number, name in enumerate(names):
        coarse = np.random.default_rng(number).integers(0, 256, (side // 8, side // 8), dtype=np.uint8)
        Image.fromarray(np.kron(coarse, np.ones((8, 8), dtype=np.uint8))).save(folder / name, compress_level=1)
    return names
