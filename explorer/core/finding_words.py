"""Which finding a column's name stands for."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from explorer.core.findings import FINDINGS, NIH_WORDS, TAXONOMIES


def finding_of(word: str) -> str | None:
    """The finding that a word names, or None where no taxonomy has the word.

    Case, hyphens and underscores do not matter. Words for the same thing are one finding (`Effusion` is
    Pleural Effusion, `No Finding` is Normal). A label of another taxonomy that is not just another word for a finding
    here (`Lung Opacity`, `Rib Fracture`) keeps its own name: it has no frequency group, and nothing is guessed.
    """
    return KNOWN.get(plain(word))


def plain(word: str) -> str:
    """A word as words are compared: case, hyphens, underscores and the number of spaces do not matter, nor whether an
    accent is a character of its own; a plus is "plus", as in an address, where it would be a blank.
    """
    spaced = unicodedata.normalize("NFC", word).replace("_", " ").replace("-", " ").replace("+", " plus ")
    return " ".join(spaced.casefold().split())


def _meanings() -> Mapping[str, str]:
    """Plain word -> finding. What comes first wins."""
    meanings = {plain(name): name for name in FINDINGS}
    for word, name in NIH_WORDS.items():
        meanings.setdefault(plain(word), name)
    for finding in FINDINGS.values():
        if len(finding.padchest_words) == 1:  # of several words, each is only a kind of the finding
            meanings.setdefault(plain(finding.padchest_words[0]), finding.name)
    for taxonomy in TAXONOMIES.values():
        for label in (*taxonomy.seen, *taxonomy.unseen):
            meanings.setdefault(plain(label), label)
    return MappingProxyType(meanings)


KNOWN: Mapping[str, str] = _meanings()  # what `plain` makes of a word -> the finding that it names
