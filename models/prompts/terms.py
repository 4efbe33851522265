"""The words for each finding: radiologists' terms, lay terms, and paraphrases kept out of all training captions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class FindingTerms:
    """The words for one finding. No phrase belongs to two findings or to two of the lists."""

    finding: str  # as in explorer.core.findings
    place: str  # the finding's site, with its article
    names: tuple[str, ...]  # radiologists' terms; the first is the plainest
    lay: tuple[str, ...]
    held_out: tuple[str, ...]  # paraphrases in no training caption

    @property
    def taught(self) -> tuple[str, ...]:
        """The phrases that training captions may use for the finding."""
        return self.names + self.lay


@cache
def terms() -> Mapping[str, FindingTerms]:
    """Return the words for every finding of the vocabulary, by its name."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            finding: FindingTerms(finding, row["place"], *(tuple(row[kind]) for kind in ("names", "lay", "held_out")))
            for finding, row in table.items()
        }
    )
