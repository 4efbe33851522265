"""Where a case stands among the films of its slice, and which are beside it."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.ui.explore.film_order import PER_PAGE, ByText, Order
from explorer.ui.shared.links import State
from explorer.ui.shared.request_values import whole


class StepPayload(TypedDict):
    """A film beside it: its id, and its page."""

    case: str
    page: int


class ElsewherePlacePayload(TypedDict):
    """The page that was asked about; the case is not on it."""

    stage: Literal["place"]
    page: int


class PlacePayload(ElsewherePlacePayload):
    """The case's number `of` all, its neighbors, and margin and percentile where a text ranks the films."""

    number: int
    of: int
    previous: StepPayload | None
    next: StepPayload | None
    alike: tuple[float, float] | None


def place_payload(order: Order, case: str, state: State) -> PlacePayload | ElsewherePlacePayload:
    """Its number among the slice's films in this order, and the ids and pages of its neighbors.

    It is looked for on the page that the state names, where the gallery showed it; elsewhere it has no number.
    """
    number = max(whole(state.get("page"), 1), 1)
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
        "alike": order.alike(number)[at] if isinstance(order, ByText) else None,
    }


def _film(order: Order, number: int, at: int) -> StepPayload | None:
    """The film at a place of a page, one before it or one behind it; None where the slice ends."""
    if at < 0 and number == 1:
        return None
    beside = number - (at < 0) + (at >= PER_PAGE)
    films = order.page(beside)
    place = at % PER_PAGE
    return {"case": films[place].id, "page": beside} if place < len(films) else None
