"""Options for importing a public dataset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.ingest.blank_labels import Blank

Labeler = Literal["chexpert", "negbio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Import options. `blank`: what a blank means, where there is a choice; `labeler`: whose labels of MIMIC-CXR-JPG.

    `cxr_lt`: the folder of a CXR-LT release. `labels_only`: neither films nor headers are read. `words`: words of the
    dataset that no taxonomy has but that become findings.
    """

    labels_only: bool = False
    blank: Blank = "unknown"
    labeler: Labeler = "chexpert"
    cxr_lt: Path | None = None
    words: tuple[str, ...] = ()

    def films(self, root: Path) -> Path | None:
        """Return the folder that contains the films; None if only labels are wanted."""
        return None if self.labels_only else root
