"""Films of a cohort by what became of findings on them: the first that has all the facts that a step's words need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import BESIDE_NORMAL
from explorer.core.outcomes import CALLED, THERE
from explorer.runtime.cached_per_owner import remembered
from explorer.school.lessons.fact import FilmOutcome
from explorer.simulator import describe
from explorer.simulator.address import STARTS, parse

if TYPE_CHECKING:
    from explorer.store.results import Grid
    from explorer.store.store import Store


VISIBLE = 0.25  # of the severities from 0 to 1: below, hardly anybody sees a thing
_ERECT = ("Hydropneumothorax", "Pneumoperitoneum")  # known by a level or by gas under the dome
_KEPT = 16  # films for each question


class FilmSearch:
    """Looks for films of one simulated cohort."""

    def __init__(self, store: Store, cohort: str) -> None:
        self.store = store
        self.cohort = cohort

    def first(self, facts: Sequence[FilmOutcome], center: str | None = None, but: Iterable[str] = ()) -> str | None:
        """The case of which all facts are true, at a center, none of those left out; None where there is none.

        Of several one on which the finding can be seen, then one with the fewest findings, then the one on which the
        first fact is plainest: where a finding was called the one with the highest score, else with the lowest; of
        equal ones the first by name. Only films that can be simulated.
        """
        versions = tuple(self.store.version(self.cohort, each.model) for each in facts)
        found = _ordered(self.store, self.cohort, tuple(facts), center, versions)
        left_out = set(but)
        return next((case for case in found if case not in left_out), None)

    def severity(self, case: str, finding: str) -> float | None:
        """How obvious a finding was drawn on a film of the cohort, 0 to 1; None where it was not."""
        return next((_severity(line.file, finding) for line in self.store.cases(self.cohort, [case])), None)


@remembered(256)
def _ordered(
    store: Store, cohort: str, facts: tuple[FilmOutcome, ...], center: str | None, _versions: tuple[str, ...]
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
    films = {cases[film]: film for film in np.flatnonzero(meets)}
    lines = [line for line in store.cases(cohort, [*films]) if (line.file or "").startswith(STARTS)]
    there = facts[0].outcome in THERE
    hard = {line.case: _hard_to_see(line.file, facts[0].finding) if there else 0 for line in lines}

    def place(case: str) -> tuple[int, int, float, str]:
        film = films[case]
        return hard[case], int(many[film]), sign * float(scores[film]), case

    return tuple(sorted(hard, key=place)[:_KEPT])


def _hard_to_see(address: str | None, finding: str) -> int:
    """0 where it is obvious enough, 1 where the patient's position hides its sign, 2 where it is too faint."""
    if address is None or (_severity(address, finding) or 0) < VISIBLE:
        return 2
    film = parse(address)
    return int(finding in _ERECT and describe(film.seed, film.center, film.drawing).lying)


def _severity(address: str | None, finding: str) -> float | None:
    if address is None or not address.startswith(STARTS):
        return None
    return next((each.severity for each in parse(address).requests if each.finding == finding), None)


def _is(grid: Grid, fact: FilmOutcome) -> NDArray[np.bool_]:
    """The films (n,) of which a fact is true."""
    if fact.finding not in grid.findings:
        return np.zeros(len(grid.label), dtype=bool)
    place = grid.findings.index(fact.finding)
    labeled = grid.label[:, place] == (1 if fact.outcome in THERE else 0)
    return np.asarray(labeled & (grid.called[:, place] == (1 if fact.outcome in CALLED else 0)))
