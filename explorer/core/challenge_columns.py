"""The column names of CXR-LT 2026 score files, in order.

Taken from a participant's published code (`explorer/core/data/README.md`) and not confirmed by the organizers: if you
have their sample file, use its columns.
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


# Column -> finding. Task 1 has the seen findings, Task 2 the unseen ones.
CHALLENGE_COLUMNS: Mapping[ChallengeTask, Mapping[str, str]] = _columns()
