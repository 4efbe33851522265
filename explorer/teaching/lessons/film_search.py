"""Films of a cohort by what became of findings on them: the first that has all the facts that a step's words need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import BESIDE_NORMAL
from explorer.core.outcomes import CALLED, THERE
from explorer.phantom.address import START
from explorer.runtime.cached_per_owner import remembered
from explorer.teaching.lessons.fact import Became

if TYPE_CHECKING:
    from explorer.store.results import Grid
    from explorer.store.store import Store


class FilmSearch:
    """Looks for films of one simulated cohort."""

    def __init__(self, store: Store, cohort: str) -> None:
        self.store = store
        self.cohort = cohort

    def first(self, facts: Sequence[Became], center: str | None = None, but: Iterable[str] = ()) -> str | None:
        """The case of which all facts are true, at a center, none of those left out; None where there is none.

        Of several one with the fewest findings, then the one on which the first fact is plainest: where a finding was
        called the one with the highest score, else with the lowest; of equal ones the first by name. Only films that
        can be simulated.
        """
        versions = tuple(self.store.version(self.cohort, each.model) for each in facts)
        found = _ordered(self.store, self.cohort, tuple(facts), center, versions)
        left_out = set(but)
        return next((case for case in found if case not in left_out), None)


@remembered(256)
def _ordered(
    store: Store, cohort: str, facts: tuple[Became, ...], center: str | None, _versions: tuple[str, ...]
) -> tuple[str, ...]:
    cases = list(store.patients(cohort))
    grids = [store.grid(cohort, each.model) for each in facts]
    meets = np.ones(len(cases), dtype=bool)
    for fact, grid in zip(facts, grids, strict=True):
        meets &= _is(grid, fact)
    if center is not None:
        meets &= store.film_facts(cohort).center == center
    first = grids[0]
    if not meets.any():
        return ()
    scores = first.score[:, first.findings.index(facts[0].finding)]
    others = [place for place, name in enumerate(first.findings) if name not in BESIDE_NORMAL]
    many = (first.label[:, others] == 1).sum(axis=1)
    sign = -1 if facts[0].outcome in CALLED else 1
    order = sorted(np.flatnonzero(meets), key=lambda film: (int(many[film]), sign * float(scores[film]), cases[film]))
    names = [cases[film] for film in order[:16]]
    return tuple(line.case for line in store.cases(cohort, names) if (line.file or "").startswith(START))


def _is(grid: Grid, fact: Became) -> NDArray[np.bool_]:
    """The films (n,) of which a fact is true."""
    if fact.finding not in grid.findings:
        return np.zeros(len(grid.label), dtype=bool)
    place = grid.findings.index(fact.finding)
    labeled = grid.label[:, place] == (1 if fact.outcome in THERE else 0)
    return np.asarray(labeled & (grid.called[:, place] == (1 if fact.outcome in CALLED else 0)))
