"""PatientOrientation: how a frontal film is stored, and how to show it in standard orientation (PS3.3 C.7.6.1.1.1).

In standard orientation the patient's right is on the viewer's left and the head is up: rows run toward the patient's
left, columns toward the feet. Each of the two values names one of six directions; further letters describe obliqueness.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DIRECTION = re.compile("[LRHFAP]{1,3}")
ACROSS = {"L": "left", "R": "right"}
ALONG = {"F": "feet", "H": "head"}


@dataclass(frozen=True, slots=True)
class Orientation:
    """The stored directions of a frontal film: `rows` and `columns` name where they run, one of LR and one of HF."""

    rows: str
    columns: str

    @property
    def on_side(self) -> bool:
        """Whether the head points to the left or right side of the stored image."""
        return self.rows in ALONG

    @property
    def note(self) -> str | None:
        """How and why `to_standard` changes the film; None if the film is in standard orientation."""
        against = [self.on_side, "R" in (self.rows, self.columns), "H" in (self.rows, self.columns)]
        if not any(against):
            return None
        mirrored = sum(against) % 2 == 1
        turned = against != [False, True, False]
        what = " and ".join(["mirrored"] * mirrored + ["turned upright"] * turned)
        names = ACROSS | ALONG
        return (
            f"{what}: the file says that rows run toward the patient's {names[self.rows]}, "
            f"columns toward the patient's {names[self.columns]}"
        )

    def to_standard(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return stored pixels (h, w) in standard orientation."""
        if self.on_side:
            pixels = pixels.T
        if "R" in (self.rows, self.columns):
            pixels = pixels[:, ::-1]
        if "H" in (self.rows, self.columns):
            pixels = pixels[::-1]
        return np.ascontiguousarray(pixels)


def orientation(values: tuple[str, ...]) -> Orientation | None:
    """Return the orientation of a frontal film from the header's two values.

    Returns None if they are missing, damaged or contradictory, and for lateral films, which have no left and right.
    """
    if len(values) != 2 or not all(DIRECTION.fullmatch(value) for value in values):
        return None
    if any(set(pair) <= set(value) for value in values for pair in ("LR", "HF", "AP")):
        return None
    rows, columns = (value[0] for value in values)
    if (rows in ACROSS and columns in ALONG) or (rows in ALONG and columns in ACROSS):
        return Orientation(rows, columns)
    return None
