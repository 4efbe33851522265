"""What somebody may choose about the import of a public dataset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.ingest.blank_labels import Blank

Labeler = Literal["chexpert", "negbio"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a blank means where that is a choice, whose labels of MIMIC-CXR-JPG; `cxr_lt` is a release's folder.

    `labels_only`: no film is looked for, nor is any header read. `words` of the dataset that no taxonomy has are
    findings by themselves.
    """

    labels_only: bool = False
    blank: Blank = "unknown"
    labeler: Labeler = "chexpert"
    cxr_lt: Path | None = None
    words: tuple[str, ...] = ()

    def films(self, root: Path) -> Path | None:
        """The folder that films lie below; None where none is wanted."""
        return None if self.labels_only else root
