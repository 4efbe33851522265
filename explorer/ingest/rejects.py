"""Rows and files that were rejected, each with its reason."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from explorer.core.csv_safe import formula_safe
from models.whole_file import atomic_write

TOLERATED_SHARE = 0.05  # of rows or files


class RejectReason(StrEnum):
    """Why a row or file was rejected."""

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
    # For tables of boxes.
    NO_BOX = "not a box"
    NO_FILM = "not a film of the cohort"
    NO_FINDING = "not the name of a finding"
    NO_SIZE = "the size of the film is not known"
    OUTSIDE = "a box that does not lie inside its film"


@dataclass(frozen=True, slots=True)
class Reject:
    """A rejected row or file. `line` is where the row ends in its table, None for a file without one."""

    line: int | None
    image: str
    reason: RejectReason
    detail: str = ""


class Rejected(Exception):
    """Raised if a row is unusable; becomes a `Reject` once its line and image are known."""

    def __init__(self, reason: RejectReason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def more_than_tolerated(rejected: int, of: int) -> bool:
    """Whether so many rows or files were rejected that the cohort may not be what the user meant."""
    return rejected > TOLERATED_SHARE * of


def counts_by_reason(rejects: Iterable[Reject]) -> dict[str, int]:
    """Return counts by reason, in the order of `RejectReason`."""
    counts = Counter(reject.reason for reject in rejects)
    return {reason.value: counts[reason] for reason in RejectReason if counts[reason]}


def write_rejects(path: Path, rejects: Iterable[Reject]) -> None:
    """Write a CSV of line, image and reason, rows without a line first. Text cannot start a spreadsheet formula."""
    with (
        atomic_write(path) as partial,
        partial.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
    ):
        lines = csv.writer(file)
        lines.writerow(["line", "image", "reason"])
        for reject in sorted(rejects, key=lambda reject: reject.line or 0):
            detail = f": {reject.detail}" if reject.detail else ""
            lines.writerow([reject.line or "", formula_safe(reject.image), f"{reject.reason}{detail}"])
