"""What the columns of a file of scores of CXR-LT 2026 are called, and in which order they stand.

As a participant's published code writes them (`explorer/core/data/README.md`), not checked with the organizers: whoever
has a sample of theirs takes the columns of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from explorer.core.data_files import data_rows
from explorer.core.findings import ChallengeTask

IMAGE_COLUMN = "ImageID"


def _columns() -> Mapping[ChallengeTask, Mapping[str, str]]:
    rows = data_rows("cxrlt2026_columns.csv")
    tasks: dict[ChallengeTask, Mapping[str, str]] = {
        task: MappingProxyType({row["column"]: row["finding"] for row in rows if row["task"] == task})
        for task in ("seen", "unseen")
    }
    return MappingProxyType(tasks)


# Task 1 is that of the seen findings, Task 2 that of the unseen ones: column -> finding.
CHALLENGE_COLUMNS: Mapping[ChallengeTask, Mapping[str, str]] = _columns()
