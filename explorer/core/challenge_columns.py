"""The score files of CXR-LT's tasks: their image column and their columns of findings, in order.

Names of 2026 are taken from a participant's published code (`explorer/core/data/README.md`), those of 2024 are the
findings of its design document. Neither was confirmed by the organizers: if you have their sample, use its columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from explorer.core.data_files import data_rows
from explorer.core.finding_words import finding_of
from explorer.core.findings import TAXONOMIES, ChallengeTask

Challenge = Literal["2026", "2024"]
IMAGE_COLUMN = "ImageID"
_TASK_NUMBERS: Mapping[int, ChallengeTask] = MappingProxyType({1: "seen", 2: "unseen"})
_NORMAL_OF_2023 = {"No Finding": "Normal"}  # 2024 renamed it


@dataclass(frozen=True, slots=True)
class TaskFormat:
    """What a task's file holds: an image column, then `columns`, column -> finding. `name` is for sentences.

    `header_note` says where the names come from.
    """

    name: str
    image_column: str
    columns: Mapping[str, str]
    header_note: str


def _columns() -> Mapping[ChallengeTask, Mapping[str, str]]:
    rows = data_rows("cxrlt2026_columns.csv")
    tasks: dict[ChallengeTask, Mapping[str, str]] = {
        task: MappingProxyType({row["column"]: row["finding"] for row in rows if row["task"] == task})
        for task in ("seen", "unseen")
    }
    return MappingProxyType(tasks)


# Column -> finding of 2026. Task 1 has the seen findings, Task 2 the unseen ones.
CHALLENGE_COLUMNS: Mapping[ChallengeTask, Mapping[str, str]] = _columns()


def _formats() -> Mapping[tuple[Challenge, int], TaskFormat]:
    note = (
        "The header comes from a participant's published code and was not confirmed by the organizers: "
        "--like SAMPLE.csv copies a sample's header."
    )
    formats: dict[tuple[Challenge, int], TaskFormat] = {
        ("2026", number): TaskFormat(f"task {number}", IMAGE_COLUMN, CHALLENGE_COLUMNS[task], note)
        for number, task in _TASK_NUMBERS.items()
    }
    note = (
        "The header has the findings of the challenge's design document after dicom_id, and was not confirmed by the "
        "organizers: --like SAMPLE.csv copies a sample's header."
    )
    for number, names in _findings_of_2024().items():
        columns = MappingProxyType({name: finding_of(name) or name for name in names})
        formats["2024", number] = TaskFormat(f"task {number} of CXR-LT 2024", "dicom_id", columns, note)
    return MappingProxyType(formats)


def _findings_of_2024() -> Mapping[int, tuple[str, ...]]:
    """Return the findings by task: 40 of the large test set, 26 of the gold standard, 5 without training films."""
    listed, before = TAXONOMIES["CXR-LT 2024"], TAXONOMIES["CXR-LT 2023"]
    gold = {_NORMAL_OF_2023.get(name, name) for name in before.seen}
    return MappingProxyType({1: listed.seen, 2: tuple(name for name in listed.seen if name in gold), 3: listed.unseen})


TASK_FORMATS: Mapping[tuple[Challenge, int], TaskFormat] = _formats()
