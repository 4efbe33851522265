"""What people call the findings: radiologists' words, lay words, and paraphrases kept out of every training caption."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Terms:
    """The words for one finding. No phrase stands for two findings, nor in two of the lists."""

    finding: str  # as in explorer.core.findings
    place: str  # where it lies, with its article
    names: tuple[str, ...]  # radiologists' words; the first is the plainest
    lay: tuple[str, ...]
    held_out: tuple[str, ...]  # paraphrases that no training caption holds

    @property
    def taught(self) -> tuple[str, ...]:
        """Every phrase that a training caption may use for the finding."""
        return self.names + self.lay


@cache
def terms() -> Mapping[str, Terms]:
    """The words for every finding of the vocabulary, by its name."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            finding: Terms(finding, row["place"], *(tuple(row[kind]) for kind in ("names", "lay", "held_out")))
            for finding, row in table.items()
        }
    )
