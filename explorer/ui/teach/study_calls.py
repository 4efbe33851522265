"""What the page asks about the reader study that a class's answers make, once the class has ended."""

from __future__ import annotations

from collections.abc import Callable

from explorer.school.classroom.class_study import class_study, studied_findings
from explorer.school.classroom.class_switches import class_decisions
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.judging.switches import switch_grid
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import string_field
from explorer.ui.teach.study_payload import (
    FindingStudyPayload,
    StudyFilePayload,
    chosen_finding,
    sent_difference,
    study_file,
    study_payload,
)


class StudyCalls:
    """The script functions of a class's reader study; each returns its payload or a refusal."""

    def __init__(self, classroom: Classroom) -> None:
        self._classroom = classroom

    @property
    def script_functions(self) -> tuple[Callable[[object], object], ...]:
        """The functions that the page may call."""
        return self.class_study, self.class_study_file

    def class_study(self, sent: object) -> FindingStudyPayload | RefusedPayload:
        """The reader study of {finding, difference}; of the first finding that has one if none is named."""

        def look() -> FindingStudyPayload:
            name, difference = self._ended(), sent_difference(sent)
            found = studied_findings(name, self._classroom.folder)
            chosen = chosen_finding(sent, found)
            study = class_study(name, chosen, self._classroom.folder) if chosen else None
            decisions = class_decisions(name, self._classroom.folder)
            switches = switch_grid(decisions) if decisions else None
            return study_payload(found, study, difference, switches, f"python -m explorer readers --class {name}")

        return answer_or_refusal(look)

    def class_study_file(self, sent: object) -> StudyFilePayload | RefusedPayload:
        """The ratings of a study {finding, format: "csv" or "imrmc"}, as a file."""

        def write() -> StudyFilePayload:
            study = class_study(self._ended(), string_field(sent, "finding"), self._classroom.folder)
            return study_file(study, string_field(sent, "format"))

        return answer_or_refusal(write)

    def _ended(self) -> str:
        """Return the id of the class that has ended; its answers reveal the truth. Raises ClassRefusal."""
        board = self._classroom.board()
        if board["running"] or not board["id"]:
            raise ClassRefusal("There is no class that has ended", "End the class; its reader study follows.")
        return board["id"]
