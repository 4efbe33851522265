"""Filters of films as a command line has them: `center=B, view=AP`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.core.word_lists import listed
from explorer.store.filters import FILM_FILTERS
from explorer.store.results import Facets
from models.refusal import Refusal

LABELS = "labels"  # whose labels count


class WrongFilter(Refusal):
    """A filter that means nothing here: `title` says which, `detail` what there is."""


def filters_in(text: str, facets: Facets) -> dict[str, Any]:
    """The values of a slice's filters by field, in the words of a cohort's own films; none of an empty text.

    Raises WrongFilter for a filter, or a value of it, that is not there, and for one that is named twice.
    """
    offered = {each.word.name: (each.word.field, facets.of_films[each.column]) for each in FILM_FILTERS}
    offered[LABELS] = ("label_source", facets.label_sources)
    found: dict[str, Any] = {}
    for name, value in _pairs(text):
        if name not in offered:
            raise WrongFilter(f"There is no filter {name!r}", f"There are: {listed(offered)}.")
        field, values = offered[name]
        if value not in values:
            raise WrongFilter(f"No film has {name}={value}", f"There are: {listed(map(str, values))}.")
        if field in found:
            raise WrongFilter(f"The filter {name} is there twice", "A film has one value of it: name one.")
        found[field] = value
    return found


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, sign, value = (each.strip() for each in part.partition("="))
        if not sign:
            raise WrongFilter(f"{part!r} is no filter", "Write filters as name=value, a comma between two.")
        yield name, value
