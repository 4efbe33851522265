"""What others call present, as points beside a model's curve: other sources of labels, and people who read films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.one_finding.scores import FindingScores, Mark, mark_of
from explorer.core.arrays import Floats
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


def other_readers(store: Store, chosen: Slice, models: Sequence[str], one: FindingScores) -> tuple[Mark, ...]:
    """Each source's labels as calls, on the films whose label it and the source that counts both know.

    `one` are the scores of these models on the slice's films. None where all sources count together: each would be
    compared with labels that are in part its own.
    """
    counts = chosen.label_source or store.default_source(chosen.cohort)
    if counts is None:
        return ()
    films, every = joint_scores(store, chosen, models).films, store.facets(chosen.cohort, models[0]).label_sources
    found = (
        mark_of(one, source, _calls(store, Slice(chosen.cohort, models[0], label_source=source), one.finding, films))
        for source in sorted(every, key=lambda source: (-every[source], source))
        if source != counts
    )
    return tuple(mark for mark in found if mark.point.sensitivity.n + mark.point.specificity.n)


def case_names(store: Store, chosen: Slice, models: Sequence[str]) -> list[str]:
    """The names (n,) of the films that these models are compared on in the slice, in the order of their scores."""
    names = list(store.patients(chosen.cohort))
    return [names[film] for film in joint_scores(store, chosen, models).films]


def readers_marks(
    one: FindingScores, cases: Sequence[str], readers: Mapping[str, Mapping[str, bool]]
) -> tuple[Mark, ...]:
    """Each reader's calls by the name of the case, on the films (n,) that the reader saw and whose label is known."""
    found = (
        mark_of(one, name, np.array([calls.get(case, np.nan) for case in cases], dtype=np.float64))
        for name, calls in readers.items()
    )
    return tuple(mark for mark in found if mark.point.sensitivity.n + mark.point.specificity.n)


def _calls(store: Store, by_source: Slice, finding: str, films: NDArray[np.int64]) -> Floats:
    """What the source says of films (n,), by their numbers: 1 present, 0 absent, NaN neither."""
    said, calls = store.column(by_source, finding), np.full(len(films), np.nan)
    _, here, there = np.intersect1d(films, said.case, return_indices=True)
    calls[here] = said.label[there]
    return calls
