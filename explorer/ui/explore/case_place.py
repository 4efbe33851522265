"""A case's position among the films of its slice, and its neighbors."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.ui.explore.film_order import PER_PAGE, FilmOrder, RankedByText
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.request_values import whole_number


class NeighborPagePayload(TypedDict):
    """A neighboring film: its id and its page."""

    case: str
    page: int


class NotOnPagePayload(TypedDict):
    """The page that was searched; the case is not on it."""

    stage: Literal["place"]
    page: int


class PlacePayload(NotOnPagePayload):
    """The case's number `of` all, its neighbors, and its margin and percentile if a text ranks the films."""

    number: int
    of: int
    previous: NeighborPagePayload | None
    next: NeighborPagePayload | None
    alike: tuple[float, float] | None


def place_payload(order: FilmOrder, case: str, state: LinkState) -> PlacePayload | NotOnPagePayload:
    """The case's number in this order, and the ids and pages of its neighbors.

    Only the state's page is searched, where the gallery showed the case; elsewhere it has no number.
    """
    number = max(whole_number(state.get("page"), 1), 1)
    films = [each.case for each in order.page(number)]
    if case not in films:
        return {"stage": "place", "page": number}
    at = films.index(case)
    return {
        "stage": "place",
        "page": number,
        "number": (number - 1) * PER_PAGE + at + 1,
        "of": order.films,
        "previous": _film(order, number, at - 1),
        "next": _film(order, number, at + 1),
        "alike": order.similarities(number)[at] if isinstance(order, RankedByText) else None,
    }


def _film(order: FilmOrder, number: int, at: int) -> NeighborPagePayload | None:
    """The film at a place of a page, or just before or after it; None at the ends of the slice."""
    if at < 0 and number == 1:
        return None
    beside = number - (at < 0) + (at >= PER_PAGE)
    films = order.page(beside)
    place = at % PER_PAGE
    return {"case": films[place].id, "page": beside} if place < len(films) else None
