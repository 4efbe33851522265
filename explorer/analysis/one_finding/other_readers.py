"""Operating points of other label sources, shown next to a model's curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark, mark_of_calls
from explorer.core.arrays import Floats
from explorer.core.uncertainty import Policy
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


def label_source_marks(
    store: Store, chosen: Slice, models: Sequence[str], one: FindingScores
) -> tuple[OperatingMark, ...]:
    """Return the labels of each other source as calls, on films that both this source and the reference source label.

    A source that is uncertain on some of them has two more marks, its bounds: all uncertain ones wrong and all right,
    LabelL and LabelU of CheXpert (Irvin et al., AAAI 2019, section "Comparison to Radiologists"). `one` holds these
    models' scores on the slice's films. Empty if all sources are merged, because each would be compared with labels
    that include its own.
    """
    counts = chosen.label_source or store.default_source(chosen.cohort)
    if counts is None:
        return ()
    films, every = joint_scores(store, chosen, models).films, store.facets(chosen.cohort, models[0]).label_sources
    found: list[OperatingMark] = []
    for source in sorted(every, key=lambda source: (-every[source], source)):
        if source != counts:
            found += _marks(store, Slice(chosen.cohort, models[0], label_source=source), source, one, films)
    return tuple(mark for mark in found if mark.point.sensitivity.n + mark.point.specificity.n)


def _marks(
    store: Store, by_source: Slice, source: str, one: FindingScores, films: NDArray[np.int64]
) -> Iterator[OperatingMark]:
    calls = _calls(store, by_source, one.finding, films)
    yield mark_of_calls(one, source, calls)
    uncertain = np.isnan(calls) & ~np.isnan(_calls(store, by_source, one.finding, films, "ones"))
    if (uncertain & ~np.isnan(one.labels)).any():
        for words, said in (("uncertain wrong", 1 - one.labels), ("uncertain right", one.labels)):
            yield mark_of_calls(one, f"{source}, {words}", np.where(uncertain, said, calls))


def compared_case_names(store: Store, chosen: Slice, models: Sequence[str]) -> list[str]:
    """Return the case names (n,) of the films that these models are compared on, in the order of their scores."""
    names = list(store.patients(chosen.cohort))
    return [names[film] for film in joint_scores(store, chosen, models).films]


def _calls(
    store: Store, by_source: Slice, finding: str, films: NDArray[np.int64], uncertain: Policy = "ignore"
) -> Floats:
    """Return a source's labels of films (n,): 1 present, 0 absent, NaN neither."""
    column, calls = store.column(by_source, finding, uncertain), np.full(len(films), np.nan)
    _, here, there = np.intersect1d(films, column.case, return_indices=True)
    calls[here] = column.label[there]
    return calls
