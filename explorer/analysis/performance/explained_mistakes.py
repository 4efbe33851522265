"""Counts mistakes that a related finding explains, such as pneumothorax called where hydropneumothorax is labeled.

Outcomes still follow the labels, so that tables match those of the challenge.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from explorer.core.finding_cover import covering_pairs
from explorer.core.findings import Outcome
from explorer.core.word_lists import quantity
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

Mistake = Literal["false alarm", "miss"]


@dataclass(frozen=True, slots=True)
class ExplainedMistakes:
    """`films` on which `broad` was called while `narrow` is labeled ("false alarm") or was missed ("miss").

    `narrow` implies `broad`. For a false alarm, `broad` is not labeled present. `slice` selects these films.
    """

    outcome: Mistake
    narrow: str
    broad: str
    films: int
    slice: Slice

    def words(self) -> str:
        """Return `9 false alarms of Pneumothorax are on films labeled Hydropneumothorax, which implies it.`"""
        one = self.films == 1
        if self.outcome == "false alarm":
            films = "is on a film" if one else "are on films"
            alarms = quantity(self.films, "false alarm")
            return f"{alarms} of {self.broad} {films} labeled {self.narrow}, which implies it."
        films = quantity(self.films, "film")
        return f"{films} with missed {self.narrow} {'was' if one else 'were'} called {self.broad}, which it implies."


def explained_mistakes(store: Store, chosen: Slice) -> tuple[ExplainedMistakes, ...]:
    """Return the explained mistakes of a slice of mistakes, false alarms first.

    Empty if the slice has other outcomes or already filters by another finding. Raises the store's errors.
    """
    if not chosen.outcomes or not set(chosen.outcomes) <= {Outcome.MISS, Outcome.FALSE_ALARM}:
        return ()
    scored = store.facets(chosen.cohort, chosen.model).findings
    found: list[ExplainedMistakes] = []
    for narrow, broad in covering_pairs(tuple(scored), store.cohort(chosen.cohort).relations):
        if Outcome.FALSE_ALARM in chosen.outcomes and chosen.finding in (None, broad) and chosen.also_present is None:
            alarms = replace(chosen, finding=broad, outcomes=(Outcome.FALSE_ALARM,), also_present=narrow)
            found.append(ExplainedMistakes("false alarm", narrow, broad, store.count(alarms).films, alarms))
        if Outcome.MISS in chosen.outcomes and chosen.finding in (None, narrow) and chosen.called is None:
            misses = replace(chosen, finding=narrow, outcomes=(Outcome.MISS,), called=broad)
            found.append(ExplainedMistakes("miss", narrow, broad, store.count(misses).films, misses))
    return tuple(sorted((each for each in found if each.films), key=lambda each: each.outcome))
