"""One visitor takes a few of the places where films are opened, not all of them."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from explorer.ui.shared.opening_limit import MAX_OPENING_FILMS, OpeningLimit, TooManyOpening


def test_one_visitor_opens_a_few_films_at_once() -> None:
    at_once = OpeningLimit()
    with ExitStack() as stack:
        for _ in range(MAX_OPENING_FILMS):
            stack.enter_context(at_once.count_opening("one"))
        with pytest.raises(TooManyOpening) as refused, at_once.count_opening("one"):
            pass
        assert refused.value.title and refused.value.detail
        with at_once.count_opening("other"):
            pass
    with at_once.count_opening("one"):
        pass


def test_a_place_is_free_again_when_the_film_was_refused() -> None:
    at_once = OpeningLimit()
    for _ in range(2 * MAX_OPENING_FILMS):
        with pytest.raises(ValueError, match="no film"), at_once.count_opening("one"):
            raise ValueError("no film")
