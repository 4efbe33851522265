"""What the page gets of a reader study, of a class or a review: findings to choose from, tables, and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from explorer.core.reader_study import imrmc_text, reader_study_csv
from explorer.core.text_grid import TextGrid
from explorer.school.classroom.finding_study import FindingStudy, StudiedFinding
from explorer.school.classroom.refusal import ClassRefusal
from explorer.ui.shared.request_values import number_or_none, string_field, value_in

DIFFERENCES = (0.001, 0.5)  # of AUROC, that a new study may be made to find


class StudiedFindingPayload(TypedDict):
    """A finding with its numbers of films with and without it, and of readers; `why_not` it has no study, or empty."""

    finding: str
    present: int
    absent: int
    readers: int
    why_not: str


class StudyGridPayload(TypedDict):
    """A table of texts."""

    title: str
    header: list[str]
    rows: list[list[str]]
    notes: list[str]


class FindingStudyPayload(TypedDict):
    """The findings that were asked for, and the study of one of them; without a study, `finding` is empty.

    `modalities` of the study: with two, a new study can be planned for a `difference`, null if none was asked for.
    `switches`: what seeing a model changed, null if no learner saw one. `command` shows the same in a terminal.
    """

    stage: Literal["study"]
    findings: list[StudiedFindingPayload]
    finding: str
    title: str
    notes: list[str]
    grids: list[StudyGridPayload]
    modalities: int
    difference: float | None
    switches: StudyGridPayload | None
    command: str


class StudyFilePayload(TypedDict):
    """A file with a study's ratings."""

    stage: Literal["text"]
    name: str
    content: str


def chosen_finding(sent: object, found: Sequence[StudiedFinding]) -> str:
    """Return the finding that was sent; without one the first that has a study, or an empty text."""
    return string_field(sent, "finding") or next((each.finding for each in found if not each.why_not), "")


def sent_difference(sent: object) -> float | None:
    """Return the difference of AUROC that a new study should find; None if none was sent. Raises ClassRefusal."""
    if value_in(sent, "difference") is None:
        return None
    difference, (least, most) = number_or_none(value_in(sent, "difference")), DIFFERENCES
    if difference is None or not least <= difference <= most:
        raise ClassRefusal("No new study can be planned", f"Give a difference of AUROC from {least} to {most}.")
    return difference


def study_payload(
    found: Sequence[StudiedFinding],
    made: FindingStudy | None,
    difference: float | None,
    switches: TextGrid | None,
    command: str,
) -> FindingStudyPayload:
    """Return a study as JSON; `command` is that of its class or review, without the finding."""
    from explorer.analysis.readers.study_table import study_table  # brings SciPy, which a start does without

    table = None if made is None else study_table(made.study, difference, notes=made.notes)
    option = "" if made is None else f' --finding "{made.finding}"'
    option += "" if difference is None else f" --difference {difference:g}"
    return {
        "stage": "study",
        "findings": [
            {
                "finding": each.finding,
                "present": each.present,
                "absent": each.absent,
                "readers": each.readers,
                "why_not": each.why_not,
            }
            for each in found
        ],
        "finding": "" if made is None else made.finding,
        "title": "" if table is None else table.title,
        "notes": [] if table is None else list(table.notes),
        "grids": [] if table is None else list(map(_grid, table.grids)),
        "modalities": 0 if made is None else len(made.study.modalities),
        "difference": difference,
        "switches": None if switches is None else _grid(switches),
        "command": f"{command}{option}",
    }


def study_file(study: FindingStudy, kind: str) -> StudyFilePayload:
    """Return the ratings of a study as a file: `kind` csv, or else iMRMC's format."""
    if kind == "csv":
        return {"stage": "text", "name": f"{study.file_stem}.csv", "content": reader_study_csv(study.study)}
    title = f"{study.finding}, {study.title}"
    return {"stage": "text", "name": f"{study.file_stem}.imrmc", "content": imrmc_text(study.study, title)}


def _grid(grid: TextGrid) -> StudyGridPayload:
    rows = [list(row) for row in grid.rows]
    return {"title": grid.title, "header": list(grid.header), "rows": rows, "notes": list(grid.notes)}
