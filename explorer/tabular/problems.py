"""Problems of the files that users bring.

Refused
├── WrongInput      a file or an option cannot be used at all
└── FailedChecks    the files were read, but rows or columns are wrong
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

MAX_LINES = 20  # listed, unless all are requested
MAX_LISTED_PER_KIND = 5  # a kind with more problems is summarized
EXAMPLES_PER_KIND = 2  # in a summary


class Refused(Exception):
    """The text says what happened and what to do."""


class WrongInput(Refused):
    """A file or an option that cannot be used at all."""


class FailedChecks(Refused):
    """Rows or columns are wrong; the text lists them."""


class WrongCell(ValueError):
    """A cell that is invalid; `kind` names all such cells, in the plural."""

    def __init__(self, reason: str, kind: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(slots=True)
class _ProblemKind:
    """Problems of one kind in one file."""

    file: str
    name: str | None  # None: every problem is listed
    count: int = 0
    listed: list[str] = field(default_factory=list)  # without the file's name
    advice: str = ""

    def lines(self, *, each: bool) -> list[str]:
        if each or self.count <= MAX_LISTED_PER_KIND or self.name is None:
            advice = f". {self.advice}" if self.advice else ""
            lines = [f"{self.file}{one}" for one in self.listed]
            return [*lines[:-1], *(f"{line}{advice}" for line in lines[-1:])]
        first = "; ".join(one.removeprefix(", ") for one in self.listed[:EXAMPLES_PER_KIND])
        advice = f". {self.advice}" if self.advice else ""
        return [f"{self.file}: {self.count:,} {self.name}. First: {first}{advice}"]


@dataclass(slots=True)
class Problems:
    """Problems in order of discovery: all are counted; kinds with many problems show two examples.

    `most` limits the number of lines (None: no limit); with `each`, every problem has its own line.
    """

    most: int | None = MAX_LINES
    each: bool = False
    count: int = 0
    _kinds: dict[tuple[str, str | None], _ProblemKind] = field(default_factory=dict)

    def add(
        self, what: str, file: Path, line: int | None = None, image: str | None = None, *, kind: str | None = None
    ) -> None:
        """Add a problem; `line` is 1 for the header, `kind` describes several such problems.

        Names are quoted, so that control characters stay visible.
        """
        self.count += 1
        found = self._kind(file, kind)
        found.count += 1
        if self.each or kind is None or len(found.listed) < MAX_LISTED_PER_KIND:
            place = "" if line is None else f", line {line}"
            named = "" if image is None else f", image {image!r}"
            found.listed.append(f"{place}{named}: {what}")

    def advise(self, file: Path, kind: str, advice: str) -> None:
        """Add advice on a kind of problem that has occurred."""
        self._kind(file, kind).advice = advice

    def state(self) -> Problems:
        """Return a copy to restore later."""
        return copy.deepcopy(self)

    def go_back(self, state: Problems) -> None:
        """Forget problems added since `state` was taken."""
        self.count, self._kinds = state.count, state._kinds

    def refuse(self, notes: Iterable[object] = ()) -> None:
        """Raise FailedChecks if there is any problem; `notes` report how the files were read."""
        if self.count:
            found = "1 problem" if self.count == 1 else f"{self.count:,} problems"
            lines = [line for kind in self._kinds.values() for line in kind.lines(each=self.each)]
            shown = lines if self.most is None else lines[: self.most]
            rest = len(lines) - len(shown)
            more = [f"and {rest:,} more"] if rest else []
            raise FailedChecks("\n".join([f"{found} found:", *shown, *more, *map(str, notes)]))

    def _kind(self, file: Path, name: str | None) -> _ProblemKind:
        return self._kinds.setdefault((file.name, name), _ProblemKind(file.name, name))
