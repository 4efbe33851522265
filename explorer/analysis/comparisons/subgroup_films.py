"""The films of each subgroup: alike in center, view, sex, age, number of findings, or in who labeled them."""

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
_FIELDS = ("center", "view", "sex", "age", "label_source")  # of filters: what films are told apart by


@dataclass(frozen=True, slots=True, eq=False)
class Subgroup:
    """Films alike in one respect, `by`; `name` says how. `inside` (n,) are its films among those compared."""

    by: str
    name: str
    inside: NDArray[np.bool_]


def labeled(joint: JointScores) -> JointScores:
    """The films of which a label is known: no other counts."""
    return joint.of(np.asarray((~np.isnan(joint.labels)).any(axis=1)))


def subgroups(store: Store, chosen: Slice, joint: JointScores) -> tuple[Subgroup, ...]:
    """All that have some of the films of `joint` and not all of them."""
    every = (*_of_filters(store, chosen, joint), *_by_count(joint))
    return tuple(each for each in every if each.inside.any() and not each.inside.all())


def findings_per_film(joint: JointScores) -> NDArray[np.int64]:
    """How many findings each film is labeled with (n,), without Normal and Support Devices; unknown is not counted."""
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
