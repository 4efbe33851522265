"""What the words of a step say of its film: checked against the cohort and the models, so that text and picture fit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from explorer.core.findings import Outcome

if TYPE_CHECKING:
    from explorer.store.results import FindingScore


@dataclass(frozen=True, slots=True)
class Became:
    """What became of a finding on the film when a model read it."""

    model: str
    finding: str
    outcome: Outcome

    def holds(self, scored: Mapping[str, FindingScore]) -> bool:
        """Whether a cohort's film, scored by the model, is so; `scored` by finding."""
        return self.finding in scored and scored[self.finding].outcome is self.outcome


@dataclass(frozen=True, slots=True)
class BecameElsewhere(Became):
    """The same, of the same patient filmed at the other center."""


@dataclass(frozen=True, slots=True)
class BecameOnTwin(Became):
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


Fact = PeakOnTwin | Became | BecameElsewhere | BecameOnTwin | MapUnasked | HeatInMask


class ReadFilm(Protocol):
    """A simulated film as models have read it: what the facts about it are checked against."""

    def outcome(self, model: str, finding: str) -> Outcome | None: ...
    def outcome_on_twin(self, model: str, finding: str) -> Outcome | None: ...
    def outcome_elsewhere(self, model: str, finding: str) -> Outcome | None: ...
    def map_unasked(self, model: str, finding: str) -> bool: ...
    def map_on_twin(self, model: str, finding: str) -> bool: ...
    def peak_on_twin(self, model: str, finding: str) -> float: ...
    def heat_over_chance(self, model: str, finding: str) -> float: ...


def is_so(fact: Fact, film: ReadFilm) -> bool:
    """Whether a fact is true of a film that was read."""
    match fact:
        case BecameElsewhere(model, finding, outcome):
            return film.outcome_elsewhere(model, finding) is outcome
        case BecameOnTwin(model, finding, outcome):
            return film.outcome_on_twin(model, finding) is outcome
        case Became(model, finding, outcome):
            return film.outcome(model, finding) is outcome
        case MapOnTwin(model, finding, drawn):
            return film.map_on_twin(model, finding) is drawn
        case MapUnasked(model, finding, drawn):
            return film.map_unasked(model, finding) is drawn
        case PeakOnTwin(model, finding, most):
            return film.peak_on_twin(model, finding) <= most
        case HeatInMask(model, finding, least, most):
            return least <= film.heat_over_chance(model, finding) <= most
