"""The known truth about a playlist's film: labels with their source, sides, masks and boxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.schema import Label
from explorer.core.appearance_bands import Side
from explorer.core.findings import COMPATIBLE_WITH_NORMAL

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TruthBox:
    """The box an annotator drew around a finding, in fractions of the film's sides."""

    finding: str
    x: float
    y: float
    width: float
    height: float
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The labels by finding, unknown if missing; `source` states their origin in words.

    `masks` (h, w) are exact, from simulated films; `pair` is the index, 0 or 1, of the film with the finding, None if
    there is no pair.
    """

    labels: Mapping[str, Label]
    source: str
    sides: Mapping[str, Side] = field(default_factory=dict)
    masks: Mapping[str, Mask] = field(default_factory=dict)
    boxes: tuple[TruthBox, ...] = ()
    pair: int | None = None

    @property
    def present(self) -> tuple[str, ...]:
        """The findings labeled present, in the order of the labels."""
        return tuple(finding for finding, label in self.labels.items() if label == "present")

    @property
    def normal(self) -> bool | None:
        """Whether only Normal and Support Devices are present; None if unknown."""
        if any(finding not in COMPATIBLE_WITH_NORMAL for finding in self.present):
            return False
        if self.labels.get("Normal") == "present":
            return True
        known = [label for finding, label in self.labels.items() if finding not in COMPATIBLE_WITH_NORMAL]
        return True if known and all(label == "absent" for label in known) else None
