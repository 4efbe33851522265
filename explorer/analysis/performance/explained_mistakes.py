"""Mistakes that a broader or a narrower finding explains: a pneumothorax called where a hydropneumothorax is labeled.

Outcomes stay as the labels say, so that tables equal those of the challenge; these counts stand beside them.
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
    """`films` of a slice where `broad` was called and `narrow` is labeled ("false alarm"), or was missed ("miss").

    `narrow` implies `broad`, which is not labeled present in the first case and was called in the second. `slice` is
    of these films.
    """

    outcome: Mistake
    narrow: str
    broad: str
    films: int
    slice: Slice

    def words(self) -> str:
        """A sentence: `9 false alarms of Pneumothorax are on films labeled Hydropneumothorax, which implies it.`"""
        one = self.films == 1
        if self.outcome == "false alarm":
            films = "is on a film" if one else "are on films"
            alarms = quantity(self.films, "false alarm")
            return f"{alarms} of {self.broad} {films} labeled {self.narrow}, which implies it."
        films = quantity(self.films, "film")
        return f"{films} with missed {self.narrow} {'was' if one else 'were'} called {self.broad}, which it implies."


def explained_mistakes(store: Store, asked: Slice) -> tuple[ExplainedMistakes, ...]:
    """Those of a slice of mistakes that a related finding explains, false alarms first.

    Empty for a slice of other outcomes, and where it already asks for films by another finding. Raises what the store
    does.
    """
    if not asked.outcomes or not set(asked.outcomes) <= {Outcome.MISS, Outcome.FALSE_ALARM}:
        return ()
    scored = store.facets(asked.cohort, asked.model).findings
    found: list[ExplainedMistakes] = []
    for narrow, broad in covering_pairs(tuple(scored), store.cohort(asked.cohort).relations):
        if Outcome.FALSE_ALARM in asked.outcomes and asked.finding in (None, broad) and asked.also_present is None:
            alarms = replace(asked, finding=broad, outcomes=(Outcome.FALSE_ALARM,), also_present=narrow)
            found.append(ExplainedMistakes("false alarm", narrow, broad, store.count(alarms).films, alarms))
        if Outcome.MISS in asked.outcomes and asked.finding in (None, narrow) and asked.called is None:
            misses = replace(asked, finding=narrow, outcomes=(Outcome.MISS,), called=broad)
            found.append(ExplainedMistakes("miss", narrow, broad, store.count(misses).films, misses))
    return tuple(sorted((each for each in found if each.films), key=lambda each: each.outcome))
