"""What the words of a step say of its film: checked against the cohort and the models, so that text and picture fit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.core.findings import Outcome

if TYPE_CHECKING:
    from explorer.store.results import FindingScore


@dataclass(frozen=True, slots=True)
class FilmOutcome:
    """What became of a finding on the film when a model read it."""

    model: str
    finding: str
    outcome: Outcome

    def holds(self, scored: Mapping[str, FindingScore]) -> bool:
        """Whether a cohort's film, scored by the model, is so; `scored` by finding."""
        return self.finding in scored and scored[self.finding].outcome is self.outcome


@dataclass(frozen=True, slots=True)
class OtherCenterOutcome(FilmOutcome):
    """The same, of the same patient filmed at the other center."""


@dataclass(frozen=True, slots=True)
class TwinOutcome(FilmOutcome):
    """The same, of the same patient without the finding."""


@dataclass(frozen=True, slots=True)
class MapUnasked:
    """Whether the page draws the model's map of the finding without being asked: above threshold, and worth it."""

    model: str
    finding: str
    drawn: bool


@dataclass(frozen=True, slots=True)
class MapOnTwin(MapUnasked):
    """The same, of the same patient without the finding."""


@dataclass(frozen=True, slots=True)
class HeatInMask:
    """The map's heat in the mask of the finding, over the share that the mask has of the film: 1 is chance."""

    model: str
    finding: str
    least: float
    most: float = math.inf


@dataclass(frozen=True, slots=True)
class PeakOnTwin:
    """The hottest cell of the twin's map is at most `most` of the scale that all maps of the model share."""

    model: str
    finding: str
    most: float


Fact = PeakOnTwin | FilmOutcome | OtherCenterOutcome | TwinOutcome | MapUnasked | HeatInMask
