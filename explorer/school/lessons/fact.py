"""Facts that a step's words claim about its film, checked against the cohort and the models."""

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
    """The outcome of a finding on the film, as a model read it."""

    model: str
    finding: str
    outcome: Outcome

    def holds(self, scored: Mapping[str, FindingScore]) -> bool:
        """Return whether the outcome holds for a cohort's film; `scored` holds the model's scores by finding."""
        return self.finding in scored and scored[self.finding].outcome is self.outcome


@dataclass(frozen=True, slots=True)
class OtherCenterOutcome(FilmOutcome):
    """The outcome of a finding for the same patient at the other center."""


@dataclass(frozen=True, slots=True)
class TwinOutcome(FilmOutcome):
    """The outcome of a finding for the same patient without it."""


@dataclass(frozen=True, slots=True)
class MapShownByDefault:
    """Whether the page shows the model's map of the finding by default: above threshold and reliable enough."""

    model: str
    finding: str
    drawn: bool


@dataclass(frozen=True, slots=True)
class TwinMapShown(MapShownByDefault):
    """The same, for the same patient without the finding."""


@dataclass(frozen=True, slots=True)
class HeatInMask:
    """The share of the map's heat inside the finding's mask over the mask's share of the film; chance gives 1."""

    model: str
    finding: str
    least: float
    most: float = math.inf


@dataclass(frozen=True, slots=True)
class TwinMapPeak:
    """The twin's map peaks no higher than `most` of the scale shared by all of the model's maps."""

    model: str
    finding: str
    most: float


FilmFact = TwinMapPeak | FilmOutcome | OtherCenterOutcome | TwinOutcome | MapShownByDefault | HeatInMask
