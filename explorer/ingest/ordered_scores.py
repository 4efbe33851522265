"""Scores as a cohort keeps them, in float32, without ties that nobody gave."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.figures import significant
from explorer.tabular.notes import Notes, Recognized, some

_ONE = int(np.float32(1).view(np.int32))


def in_float32(numbers: Floats) -> NDArray[np.float32]:
    """Numbers from 0 to 1 as float32: in the same order, equal where they were equal, and as near as that allows.

    Numbers that float32 would make equal move apart to its next numbers, half of them up and half of them down. Put
    thresholds among the numbers: then each score stays on its side.
    """
    different, places = np.unique(numbers + 0.0, return_inverse=True)  # -0.0 is 0.0
    # From 0 on, the bits of a float32 as a whole number count the float32 numbers below it. Those of different numbers
    # have to rise by 1 at least: less their place they must not fall, and halfway between the highest before and the
    # lowest behind none moves farther than it must.
    steps = np.arange(len(different))
    level = different.astype(np.float32).view(np.int32).astype(np.int64) - steps
    highest, lowest = np.maximum.accumulate(level), np.minimum.accumulate(level[::-1])[::-1]
    apart = np.clip((highest + lowest) // 2, 0, _ONE - len(different) + 1) + steps
    kept: NDArray[np.float32] = apart.astype(np.int32).view(np.float32)[places.reshape(np.shape(numbers))]
    return kept


def tell_moved(path: Path, moved: Mapping[str, float], notes: Notes) -> None:
    """Note the findings whose scores had to move from where float32 alone would round them, and how far."""
    if moved:
        said = (
            f"scores of {some(moved)} are closer together than float32 tells apart: kept in their order, each within "
            f"{significant(max(moved.values()), 1)} of what was given"
        )
        notes.add(Recognized.CLOSE_SCORES, path, said)
