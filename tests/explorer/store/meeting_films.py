"""The films that meet a slice's filters of films, beside those that a model scored."""

from __future__ import annotations

from explorer.store.filter_registry import OF_ANY_FILM
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.brute_force import NAME


def films_meeting(store: Store, chosen: Slice) -> None:
    """Of these the slice without any other filter has those that the model scored."""
    of_films = {word.field: getattr(chosen, word.field) for each in OF_ANY_FILM for word in each.words}
    scored = set(store.films(Slice(NAME, chosen.model)).tolist())
    meeting = store.films_meeting(chosen).tolist()
    assert meeting == sorted(set(meeting))
    assert set(meeting) & scored == set(store.films(Slice(NAME, chosen.model, **of_films)).tolist())
