"""What the page asks about the reader study that a class's answers make, once the class has ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypedDict

from explorer.core.reader_study import imrmc_text, reader_study_csv
from explorer.core.text_grid import TextGrid
from explorer.school.classroom.class_study import class_study, studied_findings
from explorer.school.classroom.class_switches import class_decisions
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.finding_study import FindingStudy, StudiedFinding
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.judging.switches import switch_grid
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import string_field
from models.refusal import Refusal


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


class ClassStudyPayload(TypedDict):
    """The class's findings, and the study of one of them; without a study, `finding` is empty.

    `switches`: what seeing a model changed, null if no learner saw one. `command` shows the same in a terminal.
    """

    stage: Literal["study"]
    findings: list[StudiedFindingPayload]
    finding: str
    title: str
    notes: list[str]
    grids: list[StudyGridPayload]
    switches: StudyGridPayload | None
    command: str


class StudyFilePayload(TypedDict):
    """A file with a study's ratings."""

    stage: Literal["text"]
    name: str
    content: str


class StudyCalls:
    """The script functions of a class's reader study; each returns its payload or a refusal."""

    def __init__(self, classroom: Classroom) -> None:
        self._classroom = classroom

    @property
    def script_functions(self) -> tuple[Callable[[object], object], ...]:
        """The functions that the page may call."""
        return self.class_study, self.class_study_file

    def class_study(self, finding: object) -> ClassStudyPayload | RefusedPayload:
        """The reader study of a finding; of the first finding that has one if none is named."""
        try:
            name = self._ended()
            found = studied_findings(name, self._classroom.folder)
            chosen = finding if isinstance(finding, str) and finding else _first(found)
            study = class_study(name, chosen, self._classroom.folder) if chosen else None
            decisions = class_decisions(name, self._classroom.folder)
        except Refusal as refusal:
            return refusal_payload(refusal)
        return _payload(name, found, study, switch_grid(decisions) if decisions else None)

    def class_study_file(self, sent: object) -> StudyFilePayload | RefusedPayload:
        """The ratings of a study {finding, format: "csv" or "imrmc"}, as a file."""
        try:
            study = class_study(self._ended(), string_field(sent, "finding"), self._classroom.folder)
        except Refusal as refusal:
            return refusal_payload(refusal)
        if string_field(sent, "format") == "csv":
            return {"stage": "text", "name": f"{study.file_stem}.csv", "content": reader_study_csv(study.study)}
        title = f"{study.finding}, {study.title}"
        return {"stage": "text", "name": f"{study.file_stem}.imrmc", "content": imrmc_text(study.study, title)}

    def _ended(self) -> str:
        """Return the id of the class that has ended; its answers reveal the truth. Raises ClassRefusal."""
        board = self._classroom.board()
        if board["running"] or not board["id"]:
            raise ClassRefusal("There is no class that has ended", "End the class; its reader study follows.")
        return board["id"]


def _first(found: tuple[StudiedFinding, ...]) -> str:
    return next((each.finding for each in found if not each.why_not), "")


def _payload(
    name: str, found: tuple[StudiedFinding, ...], made: FindingStudy | None, switches: TextGrid | None
) -> ClassStudyPayload:
    from explorer.analysis.readers.study_table import study_table  # brings SciPy, which a start does without

    table = None if made is None else study_table(made.study, notes=made.notes)
    option = "" if made is None else f' --finding "{made.finding}"'
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
        "switches": None if switches is None else _grid(switches),
        "command": f"python -m explorer readers --class {name}{option}",
    }


def _grid(grid: TextGrid) -> StudyGridPayload:
    rows = [list(row) for row in grid.rows]
    return {"title": grid.title, "header": list(grid.header), "rows": rows, "notes": list(grid.notes)}
