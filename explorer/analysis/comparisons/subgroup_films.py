"""Finds the films of each subgroup by center, view, sex, age, label source or number of findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.finding_counts import FINDING_COUNTS, count_band
from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.store.filter_kinds import Choice, Choices
from explorer.store.filter_registry import FILTERS
from explorer.store.filter_words import FINDINGS_PER_FILM as COUNT_TITLES
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

FINDINGS_PER_FILM = "Findings per film"
_FIELDS = ("center", "view", "sex", "age", "label_source")  # filters that define subgroups


@dataclass(frozen=True, slots=True, eq=False)
class Subgroup:
    """Films that share a value, `name`, of the property `by`; `inside` (n,) marks them among the compared films."""

    by: str
    name: str
    inside: NDArray[np.bool_]


def labeled_films(joint: JointScores) -> JointScores:
    """Restrict to films with any known label."""
    return joint.of(np.asarray((~np.isnan(joint.labels)).any(axis=1)))


def subgroups(store: Store, chosen: Slice, joint: JointScores) -> tuple[Subgroup, ...]:
    """Return the subgroups that hold some but not all films of `joint`."""
    every = (*_of_filters(store, chosen, joint), *_by_count(joint))
    return tuple(each for each in every if each.inside.any() and not each.inside.all())


def findings_per_film(joint: JointScores) -> NDArray[np.int64]:
    """Return each film's number of labeled findings (n,), without Normal and Support Devices; unknown counts as 0."""
    counted = [finding not in COMPATIBLE_WITH_NORMAL for finding in joint.findings]
    return np.asarray((joint.labels[:, counted] == 1).sum(axis=1), dtype=np.int64)


def _of_filters(store: Store, chosen: Slice, joint: JointScores) -> Iterator[Subgroup]:
    facets = store.facets(chosen.cohort, chosen.model)
    for each in FILTERS:
        if not isinstance(each, Choice) or each.word.field not in _FIELDS or each.word.values is None:
            continue
        for value in each.word.shown(Choices(chosen.cohort, facets, ())):
            films = store.films(Slice(chosen.cohort, chosen.model, **{each.word.field: value}))
            yield Subgroup(each.title, each.word.title(value), np.isin(joint.films, films))


def _by_count(joint: JointScores) -> Iterator[Subgroup]:
    bands = np.array([count_band(count) for count in findings_per_film(joint).tolist()])
    for band in FINDING_COUNTS:
        yield Subgroup(FINDINGS_PER_FILM, COUNT_TITLES[band], bands == band)
