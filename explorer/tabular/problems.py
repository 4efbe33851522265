"""What can be wrong with the files that somebody brings.

Refused
├── WrongInput      a file or an option cannot be used at all
└── FailedChecks    the files were read, and rows or columns of them are wrong
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

FIRST = 20  # problems listed where the list is not what was asked for


class Refused(Exception):
    """The text says what happened and what to do."""


class WrongInput(Refused):
    """A file or an option that cannot be used at all."""


class FailedChecks(Refused):
    """Rows or columns are wrong; the text lists them."""


@dataclass(slots=True)
class Problems:
    """Problems in the order of their discovery: all are counted, the first `most` are kept (None: all)."""

    most: int | None = FIRST
    listed: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, what: str, file: Path, line: int | None = None, image: str | None = None) -> None:
        """Note a problem; `line` is 1 for the header. Names are quoted, so that no control character gets through."""
        self.count += 1
        if self.most is None or len(self.listed) < self.most:
            place = "" if line is None else f", line {line}"
            named = "" if image is None else f", image {image!r}"
            self.listed.append(f"{file.name}{place}{named}: {what}")

    def refuse(self) -> None:
        """Raises FailedChecks where there is any problem."""
        if self.count:
            found = "1 problem" if self.count == 1 else f"{self.count:,} problems"
            rest = self.count - len(self.listed)
            more = [f"and {rest:,} more"] if rest else []
            raise FailedChecks("\n".join([f"{found} found:", *self.listed, *more]))
