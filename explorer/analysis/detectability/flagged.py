"""Counts how many inserted findings a model flags. Intervals count all trials of a patient together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.detectability.trials import Trials
from explorer.analysis.leaderboard.joint_scores import ComparedFilms
from explorer.core.figures import Estimate
from explorer.core.rates import Rate
from explorer.metrics.clustered_rates import RateSums, clustered_rate
from models.anatomy.places import OVER_THE_HEART, PLACES
from models.array_types import Bools

ZONE, SIDE = "zone", "side"


@dataclass(frozen=True, slots=True)
class Flagged:
    """The inserted findings that are flagged, and the films (their number is its n) that are flagged without one."""

    inserted: Rate
    without: Rate


@dataclass(frozen=True, slots=True)
class FlaggedGroup:
    """The flagged findings of a group, such as those with `name` "right base" of the property "zone"."""

    by: str
    name: str
    flagged: Flagged


def flagged(trials: Trials) -> Flagged:
    """Count the flagged findings among these trials, and the films that are flagged without."""
    films, first = np.unique(trials.film, return_index=True)
    without = clustered_rate(trials.flagged_without[first], trials.patients[films])
    return Flagged(clustered_rate(trials.flagged, trials.patients[trials.film]), without)


def flagged_groups(trials: Trials) -> Iterator[FlaggedGroup]:
    """Yield the groups of every property of which the trials have two or more: zone, side, and those of the films."""
    values = {ZONE: trials.zone, SIDE: trials.side} | {by: fact[trials.film] for by, fact in trials.facts.items()}
    for by, column in values.items():
        names = _in_order(by, column)
        if len(names) > 1:
            for name in names:
                yield FlaggedGroup(by, name, flagged(trials.of(column == name)))


def lacks_heart(trials: Trials) -> bool:
    """Whether these trials are of places, none of which lies over the heart: earlier versions left it out."""
    zones = set(trials.zone.tolist()) - {""}
    return bool(zones) and OVER_THE_HEART not in zones


def apart(trials: Trials, by: str, first: str, second: str) -> Estimate:
    """Return the share flagged of group `first` minus that of `second`, for the property zone or side."""
    column = trials.zone if by == ZONE else trials.side
    counted = np.stack([column == first, column == second], axis=1)
    return _difference(np.stack([trials.flagged] * 2, axis=1), counted, trials.patients[trials.film])


def model_difference(trials: Trials, other: Trials) -> Estimate:
    """Return the share that `other` flags minus the share that `trials` flag, on the same trials in the same order."""
    hits = np.stack([other.flagged, trials.flagged], axis=1)
    return _difference(hits, np.ones(hits.shape, np.bool_), trials.patients[trials.film])


def labeled_flagged(films: ComparedFilms, trials: Trials) -> dict[str, Rate]:
    """Count the films labeled with each finding that the only model of `films` flags, at the trials' thresholds."""
    findings = [each for each in trials.findings if each in films.findings]
    places = [films.findings.index(each) for each in findings]
    found = {}
    for finding, labels, scores in zip(
        findings, films.label_columns(places), films.score_columns(0, places), strict=True
    ):
        present, threshold = labels == 1, trials.thresholds[trials.findings.index(finding)]
        if present.any():
            found[finding] = clustered_rate(scores[present] >= threshold, films.patients[present])
    return found


def blind_films(trials: Trials) -> list[tuple[int, int, int]]:
    """Return (film, flagged, trials) of the films on which least is flagged, up to half; fewest first."""
    hits, tried = (np.bincount(trials.film, each, len(trials.films)) for each in (trials.flagged, None))
    top = np.zeros(len(trials.films))
    np.maximum.at(top, trials.film, trials.score)
    films = np.flatnonzero((tried > 0) & (hits <= tried / 2))
    order = films[np.lexsort((top[films], hits[films] / tried[films]))]
    return [(int(film), int(hits[film]), int(tried[film])) for film in order]


def _difference(hits: Bools, counted: Bools, patients: NDArray[np.int64]) -> Estimate:
    found = RateSums.of(hits, counted, patients).differences(np.array([0]), np.array([1]))
    return Estimate(float(found.value[0]), float(found.low[0]), float(found.high[0]))


def _in_order(by: str, column: NDArray[np.object_]) -> list[str]:
    there = {name for name in column.tolist() if name}
    return [name for name in PLACES if name in there] if by == ZONE else sorted(there)
