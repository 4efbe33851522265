"""The filter *Marked*: the cases with a mark of one kind, as they were when the slice was made.

A slice holds their names, not the mark's alone: what is kept of its answers is of these very cases, and its SQL runs
where there are no marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from explorer.cohorts.case_marks import CaseMarks
from explorer.cohorts.public_ids import opaque_id

Kind = Literal["any", "starred", "noted", "tag", "list"]


@dataclass(frozen=True, slots=True)
class Marked:
    """Cases with a mark; `name` is that of the tag or the list."""

    kind: Kind
    cases: tuple[str, ...]
    name: str = ""

    def __str__(self) -> str:
        """As a program names it: `starred`, `tag subtle`, `list For Tuesday`."""
        return f"{self.kind} {self.name}" if self.name else self.kind

    def word(self, cohort: str) -> str:
        """As an address names it: what somebody typed is an opaque id there."""
        return opaque_id(cohort, self.kind, self.name) if self.name else self.kind

    @property
    def title(self) -> str:
        """As a menu names it."""
        return {"any": "in any way", "noted": "with a note"}.get(self.kind) or str(self).replace(" ", ": ", 1)

    @property
    def clause(self) -> str:
        """As a slice's sentence names it."""
        if self.kind == "tag":
            return f"tagged \u201c{self.name}\u201d"
        if self.kind == "list":
            return f"in the list \u201c{self.name}\u201d"
        return {"any": "marked in any way", "noted": "with a note"}.get(self.kind, self.kind)


def every_marked(marks: CaseMarks) -> Iterator[Marked]:
    """What can be chosen of a cohort's marks: any of them, stars, notes, then each tag and each list."""
    listed = {each.case for cases in marks.lists.values() for each in cases}
    yield Marked("any", tuple(sorted(listed | marks.cases.keys())))
    yield Marked("starred", tuple(sorted(case for case, mark in marks.cases.items() if mark.starred)))
    yield Marked("noted", tuple(sorted(case for case, mark in marks.cases.items() if mark.note)))
    for tag in marks.tags():
        yield Marked("tag", tuple(sorted(case for case, mark in marks.cases.items() if tag in mark.tags)), tag)
    for name, cases in marks.lists.items():
        yield Marked("list", tuple(sorted({each.case for each in cases})), name)


def marks_version(marks: CaseMarks) -> str:
    """Another one whenever there are other marks to choose from."""
    return str(hash(tuple(map(str, every_marked(marks)))))
