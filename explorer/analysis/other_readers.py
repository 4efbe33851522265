"""What other sources of labels call present, as points beside a model's curve: readers where a cohort has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.finding_scores import FindingScores, Mark, mark_of
from explorer.analysis.joint_scores import NoComparison, joint_scores
from explorer.core.arrays import Floats
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store


def other_readers(store: Store, chosen: Slice, models: Sequence[str], one: FindingScores) -> tuple[Mark, ...]:
    """Each source's labels as calls, on the films whose label it and the source that counts both know.

    `one` are the scores of these models on the slice's films. None where all sources count together: each would be
    compared with labels that are in part its own.
    """
    counts = chosen.label_source or _default(store, chosen.cohort)
    if counts is None:
        return ()
    every = store.facets(chosen.cohort, models[0]).label_sources
    found = (
        mark_of(one, source, _calls(store, replace(chosen, label_source=source), models, one.finding, chosen))
        for source in sorted(every, key=lambda source: (-every[source], source))
        if source != counts
    )
    return tuple(mark for mark in found if mark.point.sensitivity.n + mark.point.specificity.n)


def _default(store: Store, cohort: str) -> str | None:
    return next(each.default_source for each in store.cohorts() if each.name == cohort)


def _calls(store: Store, by_source: Slice, models: Sequence[str], finding: str, chosen: Slice) -> Floats:
    """What the source says of the films of the slice (n,): 1 present, 0 absent, NaN neither."""
    films = joint_scores(store, chosen, models).films
    calls = np.full(len(films), np.nan)
    try:
        said = joint_scores(store, by_source, models)
    except NoComparison:
        return calls
    if finding in said.findings:
        _, here, there = np.intersect1d(films, said.films, return_indices=True)
        calls[here] = said.labels[there, said.findings.index(finding)]
    return calls
