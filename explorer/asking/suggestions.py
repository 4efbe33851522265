"""Suggestions for the input line: the terms of every finding. No model is needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from explorer.asking.abbreviations import ambiguous_phrase
from models.prompts.terms import terms

# Example questions: a common finding, its lay term, a free phrase for it, another lay term, a rare finding. With each,
# both shipped models rank films better than chance and give a verdict on at least 7 in 10 films.
EXAMPLE_QUESTIONS = (
    "pleural effusion",
    "fluid around the lung",
    "fluid in the left pleural space",
    "enlarged heart",
    "emphysema",
)

EXCLUDED_SIGNS = frozenset({"Kerley B lines"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A term and the finding it stands for."""

    finding: str
    word: str


@cache
def suggestions() -> tuple[Suggestion, ...]:
    """Return each finding's name, radiologists' terms and lay terms, without duplicates.

    Ambiguous terms are left out, and so are terms for a single sign, which was not validated by itself.
    """
    found: dict[str, Suggestion] = {}
    for finding, each in terms().items():
        for word in (finding, *each.names, *each.lay):
            if word not in EXCLUDED_SIGNS and not ambiguous_phrase(word):
                found.setdefault(word.casefold(), Suggestion(finding, word))
    return tuple(found.values())
