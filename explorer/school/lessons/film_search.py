"""Searches a cohort for a film for which every outcome that a step's words rely on holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.core.outcomes import CALLED_OUTCOMES, PRESENT_OUTCOMES
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.school.lessons.fact import FilmOutcome
from explorer.simulator import describe
from explorer.simulator.address import ADDRESS_PREFIXES, parse_film_address

if TYPE_CHECKING:
    from explorer.store.results import Grid
    from explorer.store.store import Store


MIN_VISIBLE_SEVERITY = 0.25  # severities range from 0 to 1; below this, hardly anyone sees a finding
_ERECT = ("Hydropneumothorax", "Pneumoperitoneum")  # shown by a fluid level or free gas below the diaphragm
_KEPT = 16  # number of films per query


class FilmSearch:
    """Searches the films of one simulated cohort."""

    def __init__(self, store: Store, cohort: str) -> None:
        self.store = store
        self.cohort = cohort

    def first(
        self, facts: Sequence[FilmOutcome], center: str | None = None, excluded: Iterable[str] = ()
    ) -> str | None:
        """Return the best case for which all facts hold, at a center, excluding `excluded`; None if there is none.

        Visible findings come first, then films with few findings, then the clearest first fact (the highest score for a
        flagged finding, else the lowest), then names. Only films that can be simulated qualify.
        """
        versions = tuple(self.store.version(self.cohort, each.model) for each in facts)
        found = _best_cases(self.store, self.cohort, tuple(facts), center, versions)
        left_out = set(excluded)
        return next((case for case in found if case not in left_out), None)

    def severity(self, case: str, finding: str) -> float | None:
        """Return the severity of a finding on a film of the cohort, 0 to 1; None if the finding was not drawn."""
        return next((_severity(line.file, finding) for line in self.store.cases(self.cohort, [case])), None)


@cached_per_owner(256)
def _best_cases(
    store: Store, cohort: str, facts: tuple[FilmOutcome, ...], center: str | None, _versions: tuple[str, ...]
) -> tuple[str, ...]:
    cases = list(store.patients(cohort))
    grids = [store.grid(cohort, each.model) for each in facts]
    meets = np.ones(len(cases), dtype=bool)
    for fact, grid in zip(facts, grids, strict=True):
        meets &= _films_where(grid, fact)
    if center is not None:
        meets &= store.film_facts(cohort).center == center
    first = grids[0]
    if not meets.any():
        return ()
    scores = first.score[:, first.findings.index(facts[0].finding)]
    others = [place for place, name in enumerate(first.findings) if name not in COMPATIBLE_WITH_NORMAL]
    many = (first.label[:, others] == 1).sum(axis=1)
    sign = -1 if facts[0].outcome in CALLED_OUTCOMES else 1
    films = {cases[film]: film for film in np.flatnonzero(meets)}
    lines = [line for line in store.cases(cohort, [*films]) if (line.file or "").startswith(ADDRESS_PREFIXES)]
    needs_visible = facts[0].outcome in PRESENT_OUTCOMES
    difficulty = {line.case: _hard_to_see(line.file, facts[0].finding) if needs_visible else 0 for line in lines}

    def place(case: str) -> tuple[int, int, float, str]:
        film = films[case]
        return difficulty[case], int(many[film]), sign * float(scores[film]), case

    return tuple(sorted(difficulty, key=place)[:_KEPT])


def _hard_to_see(address: str | None, finding: str) -> int:
    """Return 0 if the finding is visible, 1 if the patient's position hides its sign, 2 if it is too faint."""
    if address is None or (_severity(address, finding) or 0) < MIN_VISIBLE_SEVERITY:
        return 2
    film = parse_film_address(address)
    return int(finding in _ERECT and describe(film.seed, film.center, film.drawing).lying)


def _severity(address: str | None, finding: str) -> float | None:
    if address is None or not address.startswith(ADDRESS_PREFIXES):
        return None
    return next((each.severity for each in parse_film_address(address).requests if each.finding == finding), None)


def _films_where(grid: Grid, fact: FilmOutcome) -> NDArray[np.bool_]:
    """Return the films (n,) for which a fact holds."""
    if fact.finding not in grid.findings:
        return np.zeros(len(grid.label), dtype=bool)
    place = grid.findings.index(fact.finding)
    labeled = grid.label[:, place] == (1 if fact.outcome in PRESENT_OUTCOMES else 0)
    return np.asarray(labeled & (grid.called[:, place] == (1 if fact.outcome in CALLED_OUTCOMES else 0)))
