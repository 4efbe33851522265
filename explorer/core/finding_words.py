"""Maps column names and words to findings."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from explorer.core.findings import FINDINGS, NIH_WORDS, TAXONOMIES


def finding_of(word: str) -> str | None:
    """Return the finding that a word names, or None if no taxonomy has it.

    Case, hyphens and underscores are ignored. Synonyms share one finding (`Effusion` is Pleural Effusion, `No Finding`
    is Normal). A label from another taxonomy that is more than a synonym (`Lung Opacity`, `Rib Fracture`) keeps its own
    name and has no frequency group.
    """
    return FINDING_BY_WORD.get(plain(word))


def plain(word: str) -> str:
    """Normalize a word for comparison: case, hyphens, underscores, repeated spaces and composed accents are ignored.

    A plus sign becomes "plus", because in an address it would mean a blank.
    """
    spaced = unicodedata.normalize("NFC", word).replace("_", " ").replace("-", " ").replace("+", " plus ")
    return " ".join(spaced.casefold().split())


def _meanings() -> Mapping[str, str]:
    """Return normalized word -> finding. The first meaning of a word wins."""
    meanings = {plain(name): name for name in FINDINGS}
    for word, name in NIH_WORDS.items():
        meanings.setdefault(plain(word), name)
    for finding in FINDINGS.values():
        if len(finding.padchest_words) == 1:  # if there are several, each names only one kind of the finding
            meanings.setdefault(plain(finding.padchest_words[0]), finding.name)
    for taxonomy in TAXONOMIES.values():
        for label in (*taxonomy.seen, *taxonomy.unseen):
            meanings.setdefault(plain(label), label)
    return MappingProxyType(meanings)


FINDING_BY_WORD: Mapping[str, str] = _meanings()  # keys as `plain` returns them
