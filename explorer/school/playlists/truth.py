"""What is true of a film of a playlist, as far as anybody knows: labels with their source, sides, places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.schema import Label
from explorer.core.appearance_bands import Side
from explorer.core.findings import BESIDE_NORMAL

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class DrawnBox:
    """Where somebody drew a finding, in fractions of the film's sides."""

    finding: str
    x: float
    y: float
    width: float
    height: float
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """`labels` of findings; one that is not in them is unknown. `source` says whose they are, in words.

    `masks` (h, w) are exact, of simulated films; `pair` is the place, 0 or 1, of the film of a pair that has the
    finding, None where there is no pair.
    """

    labels: Mapping[str, Label]
    source: str
    sides: Mapping[str, Side] = field(default_factory=dict)
    masks: Mapping[str, Mask] = field(default_factory=dict)
    boxes: tuple[DrawnBox, ...] = ()
    pair: int | None = None

    @property
    def present(self) -> tuple[str, ...]:
        """The findings labeled present, in the order of the labels."""
        return tuple(finding for finding, label in self.labels.items() if label == "present")

    @property
    def normal(self) -> bool | None:
        """Whether the film is normal: nothing but Normal and Support Devices is present; None where that is unknown."""
        if any(finding not in BESIDE_NORMAL for finding in self.present):
            return False
        if self.labels.get("Normal") == "present":
            return True
        known = [label for finding, label in self.labels.items() if finding not in BESIDE_NORMAL]
        return True if known and all(label == "absent" for label in known) else None
