"""The filter by an area that somebody lassoed on the map of the model's films."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from explorer.cohorts.schema import Unit
from explorer.core.map_area import MapArea, WrongArea, area_word
from explorer.core.word_lists import quantity
from explorer.store.conditions import Condition, InArea
from explorer.store.filter_kinds import Bound, Choices, Values, Word


def _area(written: str, choices: Choices) -> MapArea:
    known = choices.film_map()
    if known is None:
        raise WrongArea("an area of a map that has not been made here yet: Explore's panel Map makes it")
    return known.area(written)


@dataclass(frozen=True, slots=True)
class LassoFilter:
    """An area of the map of the model's films."""

    key: str = "lasso"
    title: str = "Lasso"
    words: tuple[Word, ...] = (Word("lasso", "lasso", write=lambda cohort, area: area_word(area), read=_area),)
    tells: bool = False
    of_scores: bool = False
    of_findings: bool = False
    bound_to: Bound = "model"
    needed: bool = False

    def conditions(self, values: Values, findings: Sequence[str]) -> Iterator[Condition]:
        if values["lasso"] is not None:
            yield InArea(values["lasso"])

    def clause(self, values: Values, unit: Unit) -> str | None:
        area = values["lasso"]
        return area and f"in a lassoed area of the map of {area.model} ({quantity(area.films, 'film')})"

    def conflict(self, values: Values) -> str | None:
        return None


LASSO = LassoFilter()
