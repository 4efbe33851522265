"""What may be typed: the words for every finding, for the input line to suggest. No model is needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from explorer.asking.abbreviations import ambiguous
from models.prompts.terms import terms

# Questions to begin with: a common finding, the same in a lay term and in a phrase of one's own, a lay term, a rare
# finding. Both shipped models were tested on each, rank by it better than chance, and judge 7 in 10 films or more.
EXAMPLES = (
    "pleural effusion",
    "fluid around the lung",
    "fluid in the left pleural space",
    "enlarged heart",
    "emphysema",
)

SIGNS = frozenset({"Kerley B lines"})


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word, and the finding it stands for."""

    finding: str
    word: str


@cache
def suggestions() -> tuple[Suggestion, ...]:
    """Each finding's own name, then the radiologists' words for it, then everybody else's; no word twice.

    Left out are words that may mean two findings, and those of a sign: films with the sign alone were not counted.
    """
    found: dict[str, Suggestion] = {}
    for finding, each in terms().items():
        for word in (finding, *each.names, *each.lay):
            if word not in SIGNS and not ambiguous(word):
                found.setdefault(word.casefold(), Suggestion(finding, word))
    return tuple(found.values())
