"""Rows and files that do not become a case, each with its reason."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from explorer.core.csv_safe import harmless
from models.whole_file import atomic_write

TOLERATED = 0.05  # of the rows or files


class Reason(StrEnum):
    """Why a row or a file is not taken."""

    NO_IDENTIFIER = "no identifier"
    CELLS = "wrong number of cells"
    NO_LABEL = "a cell that is not a label"
    JOINED_WORDS = "findings joined by another mark than the separator"
    DIFFERENT_FILMS = "one identifier for different films"
    NORMAL_AND_FINDING = "Normal and a finding"
    ALL_ZERO = "all zero: none of the findings"
    MISSING = "no such image"
    SEVERAL = "several images of this name"
    UNREADABLE = "not a readable film"
    BLANK = "a blank image: every pixel the same"
    SAME_BYTES = "the same bytes again"
    # Of a table of boxes.
    NO_BOX = "not a box"
    NO_FILM = "not a film of the cohort"
    NO_FINDING = "not the name of a finding"
    NO_SIZE = "the size of the film is not known"
    OUTSIDE = "a box that does not lie inside its film"


@dataclass(frozen=True, slots=True)
class Reject:
    """`line` is where the row ends in its table, None for a file without one."""

    line: int | None
    image: str
    reason: Reason
    detail: str = ""


class Rejected(Exception):
    """Raised where a row turns out to be none; becomes a `Reject` where its line and image are known."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def more_than_tolerated(rejected: int, of: int) -> bool:
    """Whether so many of the rows or files had to be rejected that the cohort may not be what was meant."""
    return rejected > TOLERATED * of


def counted(rejects: Iterable[Reject]) -> dict[str, int]:
    """How many for each reason, in the order of `Reason`."""
    counts = Counter(reject.reason for reject in rejects)
    return {reason.value: counts[reason] for reason in Reason if counts[reason]}


def write_rejects(path: Path, rejects: Iterable[Reject]) -> None:
    """A CSV file of line, image and reason, those without a line first. No text starts a formula in a spreadsheet."""
    with (
        atomic_write(path) as partial,
        partial.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        lines = csv.writer(file)
        lines.writerow(["line", "image", "reason"])
        for reject in sorted(rejects, key=lambda reject: reject.line or 0):
            detail = f": {reject.detail}" if reject.detail else ""
            lines.writerow([reject.line or "", harmless(reject.image), f"{reject.reason}{detail}"])
