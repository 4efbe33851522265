"""Where a case stands among the films of its slice, and which are beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.slices import Slice
from explorer.ui.explore.gallery import PER_PAGE
from explorer.ui.explore.links import State
from explorer.ui.payload import Json

if TYPE_CHECKING:
    from explorer.store import Ranked, Store

MOST_PAGES = 10**9


def place_payload(store: Store, asked: Slice, case: str, state: State) -> Json:
    """Its number among the slice's films, and the ids and pages of its neighbors.

    It is looked for on the page that the state names, where the gallery showed it; elsewhere it has no number.
    """
    number = min(_whole(state.get("page"), 1), MOST_PAGES)
    pages = _Pages(store, asked, _whole(state.get("shuffle"), 1) % 2**31 if state.get("hide") else None)
    films = [each.case for each in pages.page(number)]
    if case not in films:
        return {"stage": "place", "page": number}
    at = films.index(case)
    return {
        "stage": "place",
        "page": number,
        "number": (number - 1) * PER_PAGE + at + 1,
        "of": store.count(asked).films,
        "previous": pages.film(number, at - 1),
        "next": pages.film(number, at + 1),
    }


class _Pages:
    """The pages of a slice as the gallery has them, from 1."""

    def __init__(self, store: Store, asked: Slice, shuffle: int | None) -> None:
        self._store, self._asked, self._shuffle = store, asked, shuffle

    def page(self, number: int) -> tuple[Ranked, ...]:
        return self._store.page(self._asked, number - 1, size=PER_PAGE, shuffle=self._shuffle)

    def film(self, number: int, at: int) -> Json | None:
        """The film at a place of a page, one before it or one behind it; None where the slice ends."""
        if at < 0 and number == 1:
            return None
        beside = number - (at < 0) + (at >= PER_PAGE)
        films = self.page(beside)
        place = at % PER_PAGE
        return {"case": films[place].id, "page": beside} if place < len(films) else None


def _whole(sent: object, otherwise: int) -> int:
    """A whole number of an address, from 1."""
    return max(int(sent), 1) if isinstance(sent, str) and sent.isdecimal() and sent.isascii() else otherwise
