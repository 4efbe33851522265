"""Converts scores to float32 without creating ties."""

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
    """Return numbers from 0 to 1 as float32, in the same order, with the same ties, and as close as that allows.

    Numbers that float32 would merge are spread over neighboring float32 values, half upward and half downward. Include
    thresholds among the numbers: then each score stays on its side of its threshold.
    """
    different, places = np.unique(numbers + 0.0, return_inverse=True)  # -0.0 is 0.0
    # From 0 on, the bits of a float32, read as an integer, count the float32 values below it. Distinct numbers must
    # differ by at least 1. So after subtracting their rank the sequence must not decrease; halfway between the running
    # maximum from the left and the running minimum from the right, no number moves farther than necessary.
    steps = np.arange(len(different))
    unspread = different.astype(np.float32).view(np.int32).astype(np.int64) - steps
    highest, lowest = np.maximum.accumulate(unspread), np.minimum.accumulate(unspread[::-1])[::-1]
    spread = np.clip((highest + lowest) // 2, 0, _ONE - len(different) + 1) + steps
    kept: NDArray[np.float32] = spread.astype(np.int32).view(np.float32)[places.reshape(np.shape(numbers))]
    return kept


def note_moved_scores(path: Path, moved: Mapping[str, float], notes: Notes) -> None:
    """Note the findings whose scores had to move beyond float32 rounding, and by how much."""
    if moved:
        sentence = (
            f"scores of {some(moved)} are closer together than float32 tells apart: kept in their order, each within "
            f"{significant(max(moved.values()), 1)} of what was given"
        )
        notes.add(Recognized.CLOSE_SCORES, path, sentence)
