"""What can be wrong with the files that somebody brings.

Refused
├── WrongInput      a file or an option cannot be used at all
└── FailedChecks    the files were read, and rows or columns of them are wrong
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

FIRST = 20  # lines listed where the list is not what was asked for
FEW = 5  # problems of one kind that are listed each by itself
EXAMPLES = 2  # of a kind with more


class Refused(Exception):
    """The text says what happened and what to do."""


class WrongInput(Refused):
    """A file or an option that cannot be used at all."""


class FailedChecks(Refused):
    """Rows or columns are wrong; the text lists them."""


class WrongCell(ValueError):
    """What a cell is instead of what it should be; `kind` names all such cells, in the plural."""

    def __init__(self, said: str, kind: str) -> None:
        super().__init__(said)
        self.kind = kind


@dataclass(slots=True)
class _Kind:
    """Problems of one kind in one file."""

    file: str
    name: str | None  # None: each is of its own kind
    count: int = 0
    listed: list[str] = field(default_factory=list)  # without the file's name
    advice: str = ""

    def lines(self, *, each: bool) -> list[str]:
        if each or self.count <= FEW or self.name is None:
            advice = f". {self.advice}" if self.advice else ""
            lines = [f"{self.file}{one}" for one in self.listed]
            return [*lines[:-1], *(f"{line}{advice}" for line in lines[-1:])]
        first = "; ".join(one.removeprefix(", ") for one in self.listed[:EXAMPLES])
        advice = f". {self.advice}" if self.advice else ""
        return [f"{self.file}: {self.count:,} {self.name}. First: {first}{advice}"]


@dataclass(slots=True)
class Problems:
    """Problems in the order of their discovery: all are counted; of a kind with more than a few, two are shown.

    `most` is how many lines are told (None: all), `each` whether every problem has a line of its own.
    """

    most: int | None = FIRST
    each: bool = False
    count: int = 0
    _kinds: dict[tuple[str, str | None], _Kind] = field(default_factory=dict)

    def add(
        self, what: str, file: Path, line: int | None = None, image: str | None = None, *, kind: str | None = None
    ) -> None:
        """Note a problem; `line` is 1 for the header, `kind` what several such problems are called.

        Names are quoted, so that no control character gets through.
        """
        self.count += 1
        found = self._kind(file, kind)
        found.count += 1
        if self.each or kind is None or len(found.listed) < FEW:
            place = "" if line is None else f", line {line}"
            named = "" if image is None else f", image {image!r}"
            found.listed.append(f"{place}{named}: {what}")

    def advise(self, file: Path, kind: str, advice: str) -> None:
        """Say what to do about problems of a kind, of which there are some."""
        self._kind(file, kind).advice = advice

    def state(self) -> Problems:
        """These problems as they are now, to go back to."""
        return copy.deepcopy(self)

    def go_back(self, state: Problems) -> None:
        """Forget what was added since."""
        self.count, self._kinds = state.count, state._kinds

    def refuse(self, notes: Iterable[object] = ()) -> None:
        """Raises FailedChecks where there is any problem; `notes` tell how the files were read."""
        if self.count:
            found = "1 problem" if self.count == 1 else f"{self.count:,} problems"
            lines = [line for kind in self._kinds.values() for line in kind.lines(each=self.each)]
            told = lines if self.most is None else lines[: self.most]
            rest = len(lines) - len(told)
            more = [f"and {rest:,} more"] if rest else []
            raise FailedChecks("\n".join([f"{found} found:", *told, *more, *map(str, notes)]))

    def _kind(self, file: Path, name: str | None) -> _Kind:
        return self._kinds.setdefault((file.name, name), _Kind(file.name, name))
