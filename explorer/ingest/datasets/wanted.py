"""Options for importing a public dataset."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.ingest.blank_labels import Blank

Labeler = Literal["chexpert", "negbio"]
CxrLtTask = Literal[1, 2, 3]  # of CXR-LT 2024; 2023 had one task


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """Import options. `blank`: what a blank means, where there is a choice; `labeler`: whose labels of MIMIC-CXR-JPG.

    `cxr_lt`: the folder of a CXR-LT release, `cxr_lt_task` the task whose labels are wanted. `labels_only`: neither
    films nor headers are read. `words`: words of the dataset that no taxonomy has but that become findings.
    """

    labels_only: bool = False
    blank: Blank = "unknown"
    labeler: Labeler = "chexpert"
    cxr_lt: Path | None = None
    cxr_lt_task: CxrLtTask = 1
    words: tuple[str, ...] = ()

    def films(self, root: Path) -> Path | None:
        """Return the folder that contains the films; None if only labels are wanted."""
        return None if self.labels_only else root
