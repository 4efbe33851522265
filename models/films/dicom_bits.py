"""Finds which bits of a word hold the gray value: the header's, unless the values contradict it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_layout import BITS_STORED, HIGH_BIT, padding_bounds
from models.films.dicom_walker import DicomHeader
from models.films.strips import strips


def shift_to_low_bits(words: NDArray[Any], header: DicomHeader) -> list[str]:
    """Shift values from the upper bits of their words, where High Bit places them, to the lower ones; return notes.

    Half of the files with such a High Bit store their values in the lower bits anyway; those are left alone.
    """
    stored = header.integer(BITS_STORED)
    below = header.integer(HIGH_BIT, stored - 1) + 1 - stored
    if below <= 0:
        return []
    least = -(2 ** (stored - 1)) if words.dtype.kind == "i" else 0
    in_lower = in_upper = 0
    for rows in strips(words):
        in_lower += int(np.count_nonzero(words[rows] & (2**below - 1)))
        in_upper += int(np.count_nonzero((words[rows] < least) | (words[rows] >= 2**stored)))
    if in_lower > in_upper:
        return [f"the header places values in the upper {stored} bits, but they are in the lower ones: read there"]
    for rows in strips(words):
        words[rows] >>= below
    return [f"values are in the upper {stored} bits of their words, as the header says: read there"]


def clear_unused_bits(words: NDArray[Any], header: DicomHeader) -> list[str]:
    """Keep only Bits Stored of each word, with sign, in place; return notes if other bits were set.

    If the film's values continue beyond these bits, the header is wrong and all bits are kept.
    """
    stored = header.integer(BITS_STORED)
    unused = 8 * words.dtype.itemsize - stored
    if unused <= 0:
        return []
    padding, unsigned = padding_bounds(header), np.dtype(f"u{words.dtype.itemsize}")
    was_set, smooth, steps = False, 0, 0
    for rows in strips(words):
        kept = _masked(words[rows], unused, padding)
        # A missing sign extension alone is not worth a note.
        changed = (kept != words[rows]) & (words[rows].view(unsigned) >> stored > 0)
        if changed.any():
            was_set = True
            # Real values take small steps where upper bits change; overlay bits cause large ones.
            whole, upper = (np.diff(part.astype(np.int64), axis=1) for part in (words[rows], words[rows] - kept))
            smooth += int((np.abs(whole[upper != 0]) < 2 ** (stored - 1)).sum())
            steps += int((upper != 0).sum())
    if 2 * smooth > steps:
        return ["values exceed the bits stored that the header states: all bits are shown"]
    for rows in strips(words):
        words[rows] = _masked(words[rows], unused, padding)
    return ["bits beyond those stored were set, probably an overlay: not shown"] if was_set else []


def _masked(words: NDArray[Any], unused: int, padding: tuple[int, int] | None) -> NDArray[Any]:
    kept = words << unused >> unused
    if padding is None or words.ndim != 2:
        return kept
    return np.where((words >= padding[0]) & (words <= padding[1]), words, kept)  # padding often exceeds Bits Stored
