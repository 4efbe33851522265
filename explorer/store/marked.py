"""The filter *Marked*: cases with a mark of one kind, as they were when the slice was made.

A slice holds the names of the cases rather than only the mark: cached answers apply to exactly these cases, and the SQL
also runs on machines without the marks.
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
    """Cases with a mark; `name` is that of the tag or list."""

    kind: Kind
    cases: tuple[str, ...]
    name: str = ""

    def __str__(self) -> str:
        """Return its name for programs: `starred`, `tag subtle`, `list For Tuesday`."""
        return f"{self.kind} {self.name}" if self.name else self.kind

    def word(self, cohort: str) -> str:
        """Return its name in an address, with an opaque id for typed text."""
        return opaque_id(cohort, self.kind, self.name) if self.name else self.kind

    @property
    def title(self) -> str:
        """Its name in a menu."""
        return {"any": "in any way", "noted": "with a note"}.get(self.kind) or str(self).replace(" ", ": ", 1)

    @property
    def clause(self) -> str:
        """Its name in a slice's sentence."""
        if self.kind == "tag":
            return f"tagged \u201c{self.name}\u201d"
        if self.kind == "list":
            return f"in the list \u201c{self.name}\u201d"
        return {"any": "marked in any way", "noted": "with a note"}.get(self.kind, self.kind)


def every_marked(marks: CaseMarks) -> Iterator[Marked]:
    """Yield the choices from a cohort's marks: any mark, stars, notes, then each tag and list."""
    listed = {each.case for cases in marks.lists.values() for each in cases}
    yield Marked("any", tuple(sorted(listed | marks.cases.keys())))
    yield Marked("starred", tuple(sorted(case for case, mark in marks.cases.items() if mark.starred)))
    yield Marked("noted", tuple(sorted(case for case, mark in marks.cases.items() if mark.note)))
    for tag in marks.tags():
        yield Marked("tag", tuple(sorted(case for case, mark in marks.cases.items() if tag in mark.tags)), tag)
    for name, cases in marks.lists.items():
        yield Marked("list", tuple(sorted({each.case for each in cases})), name)


def marks_version(marks: CaseMarks) -> str:
    """Return a version that changes with the choices."""
    return str(hash(tuple(map(str, every_marked(marks)))))
