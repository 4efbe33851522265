"""What the cases of a cohort are, films or studies, and the one place that words sentences by it.

Sentences are written about films. `case_words` says the same about studies, so that n is named wherever it is counted.
The page's script has the same rule for its own sentences (`explorer/ui/static/shared/counted.js`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from explorer.core.word_lists import quantity

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest

Counted = Literal["film", "study"]  # what a case of a cohort is
CASES: Mapping[Counted, str] = MappingProxyType({"film": "Films", "study": "Studies"})
# A word of its own: not part of a name such as `my-films`, `films.csv` or `a/film`.
_FILM = re.compile(r"(?<![\w./-])([Ff])ilm(s?)(?!\w|[/-]|\.\w)")


def counted_by(manifest: Manifest) -> Counted:
    """Return what the cases of a cohort are."""
    return "film" if manifest.studies is None else "study"


def cases_text(number: int, counted: Counted) -> str:
    """Return `1,200 films` or `800 studies`."""
    return quantity(number, counted, CASES[counted].lower())


class OfFilms(str):
    """A sentence about films whatever the cohort counts, such as one on where its thresholds come from."""


def case_words(text: str, counted: Counted) -> str:
    """Return a sentence about films, or the same about studies: `Films of a patient` or `Studies of a patient`."""
    return text if counted == "film" or isinstance(text, OfFilms) else _FILM.sub(_study, text)


def case_words_within(value: object, counted: Counted) -> object:
    """Return JSON values or a table with `case_words` of every text in lists, tuples and values of mappings."""
    if isinstance(value, str):
        return case_words(value, counted)
    if isinstance(value, Mapping):
        return {name: case_words_within(each, counted) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(case_words_within(each, counted) for each in value)
    return value


def _study(film: re.Match[str]) -> str:
    return f"{'S' if film[1] == 'F' else 's'}tud{'ies' if film[2] else 'y'}"
