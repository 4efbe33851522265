"""Which bits of a word are the gray value: those that the header states, unless the values say otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.dicom_layout import BITS_STORED, HIGH_BIT, padding_bounds
from models.films.dicom_walker import DicomHeader
from models.films.strips import strips


def moved_down(words: NDArray[Any], header: DicomHeader) -> list[str]:
    """Move values that lie in the upper bits of their words, as High Bit says, to the lower ones; with a note.

    Half of the files that say so have their values in the lower bits all the same: those stay.
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
        return [f"the header says that values lie in the upper {stored} bits; they lie in the lower ones: read there"]
    for rows in strips(words):
        words[rows] >>= below
    return [f"values lie in the upper {stored} bits of their words, as the header says: read there"]


def cut_to_bits(words: NDArray[Any], header: DicomHeader) -> list[str]:
    """Leave each word its Bits Stored, with their sign, in place, and note whether another bit was set.

    Where the film's values go on beyond these bits, the header is wrong, and all bits are left.
    """
    stored = header.integer(BITS_STORED)
    unused = 8 * words.dtype.itemsize - stored
    if unused <= 0:
        return []
    padding, unsigned = padding_bounds(header), np.dtype(f"u{words.dtype.itemsize}")
    was_set, smooth, steps = False, 0, 0
    for rows in strips(words):
        kept = _kept(words[rows], unused, padding)
        # A sign alone that was not carried on to the end of the word is nothing to note.
        changed = (kept != words[rows]) & (words[rows].view(unsigned) >> stored > 0)
        if changed.any():
            was_set = True
            # Values that go on take small steps where upper bits change; an overlay's bits take large ones.
            whole, upper = (np.diff(part.astype(np.int64), axis=1) for part in (words[rows], words[rows] - kept))
            smooth += int((np.abs(whole[upper != 0]) < 2 ** (stored - 1)).sum())
            steps += int((upper != 0).sum())
    if 2 * smooth > steps:
        return ["values go on beyond the bits stored that the header states: all bits are shown"]
    for rows in strips(words):
        words[rows] = _kept(words[rows], unused, padding)
    return ["bits beyond those stored were set, as by an overlay: not shown"] if was_set else []


def _kept(words: NDArray[Any], unused: int, padding: tuple[int, int] | None) -> NDArray[Any]:
    kept = words << unused >> unused
    if padding is None or words.ndim != 2:
        return kept
    return np.where((words >= padding[0]) & (words <= padding[1]), words, kept)  # often more than the bits can hold
