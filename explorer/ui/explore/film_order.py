"""The order of a slice's films: worst first, shuffled, or most similar to a typed finding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.cases.text_ranking import NoRanking, TextRanking, rank_by_text
from explorer.asking.question import checked_question
from explorer.store.slices import Slice
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.request_values import whole_number
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.store.results import Count
    from explorer.store.store import Ranked, Store

PER_PAGE = 24


@dataclass(frozen=True, slots=True)
class WorstFirst:
    """Worst first; shuffled if there is a seed."""

    store: Store
    slice: Slice
    shuffle: int | None
    count: Count

    @property
    def films(self) -> int:
        """The number of films."""
        return self.count.films

    def page(self, number: int) -> tuple[Ranked, ...]:
        """The films of a page, counted from 1."""
        return self.store.page(self.slice, number - 1, size=PER_PAGE, shuffle=self.shuffle)


@dataclass(frozen=True, slots=True, eq=False)
class RankedByText:
    """Most similar to a text first, without films that have no embedding."""

    store: Store
    slice: Slice
    text: str
    ranking: TextRanking

    @property
    def films(self) -> int:
        """The number of films."""
        return len(self.ranking.films)

    def page(self, number: int) -> tuple[Ranked, ...]:
        """The films of a page, counted from 1."""
        return self.store.these(self.slice, self.ranking.films[self._rows(number)])

    def similarities(self, number: int) -> list[tuple[float, float]]:
        """Margin and percentile of each film of a page."""
        rows = self._rows(number)
        return list(zip(self.ranking.margins[rows].tolist(), self.ranking.percentiles[rows].tolist(), strict=True))

    def _rows(self, number: int) -> range:
        return range((number - 1) * PER_PAGE, min(number * PER_PAGE, self.films))


FilmOrder = WorstFirst | RankedByText


def ranking_text(state: LinkState) -> str | None:
    """The finding that the state ranks films by; None while labels are hidden, because films are shuffled then.

    Raises WrongQuestion.
    """
    text = state.get("ask")
    return checked_question(text).text if isinstance(text, str) and text and not state.get("hide") else None


def film_order(services: Services, chosen: Slice, state: LinkState) -> FilmOrder:
    """The order that the state names. Raises NoRanking, WrongQuestion, UnusableModel or QueueFull."""
    text = ranking_text(state)
    if text is None:
        seed = _seed(state.get("shuffle")) if state.get("hide") else None
        return WorstFirst(services.store, chosen, seed, services.store.count(chosen))
    asker = services.asker(chosen.cohort)
    if asker is None:
        raise NoRanking("No model reads typed findings here", "Start Tailscope with --vlm and a model's name.")
    return RankedByText(services.store, chosen, text, rank_by_text(services.store, asker, chosen, text))


def _seed(sent: object) -> int:
    """The seed of the shuffle, 1 by default: while labels are hidden, any other order would reveal scores."""
    return whole_number(sent, 1, most=10**18) % 2**31
