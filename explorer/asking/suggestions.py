"""What may be typed: the words for every finding, for the input line to suggest. No model is needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from models.prompts.terms import terms

# Questions to begin with, each a text that both shipped models were tested on and rank better than chance: a common
# finding, a lay word, a phrase of one's own, a rare finding.
EXAMPLES = ("pleural effusion", "enlarged heart", "fluid in the left pleural space", "emphysema")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word, and the finding it stands for."""

    finding: str
    word: str


@cache
def suggestions() -> tuple[Suggestion, ...]:
    """Each finding's own name, then the radiologists' words for it, then everybody else's; no word twice."""
    found: dict[str, Suggestion] = {}
    for finding, each in terms().items():
        for word in (finding, *each.names, *each.lay):
            found.setdefault(word.casefold(), Suggestion(finding, word))
    return tuple(found.values())
