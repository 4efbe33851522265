"""Detects identifiers that a spreadsheet rounded, such as 3.24E+38: they no longer identify anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROUNDED = re.compile(r"\s*\d(?:[.,]\d+)?E\+\d{2,3}\s*", re.IGNORECASE | re.ASCII)


def rounded(text: str) -> bool:
    """Whether a text is a long number in a spreadsheet's notation."""
    return "+" in text and _ROUNDED.fullmatch(text) is not None


@dataclass(slots=True)
class RoundedIds:
    """Counts the rounded identifiers of a column. `what` says what they identify, in the plural."""

    what: str
    count: int = 0
    first: str = ""
    line: int = 0

    def see(self, text: str, line: int) -> bool:
        """Count an identifier if it is rounded; returns whether it is."""
        if not rounded(text):
            return False
        if not self.count:
            self.first, self.line = text.strip(), line
        self.count += 1
        return True

    @property
    def sentence(self) -> str:
        """A sentence with their number and the first one."""
        example = f"such as {self.first!r} in line {self.line:,}"
        return f"{self.count:,} {self.what} are numbers that a spreadsheet has rounded, {example}"

    @property
    def refusal(self) -> str:
        """The refusal, for columns that are required."""
        return (
            f"{self.sentence}: they no longer identify images. Use the file from before the spreadsheet, or import "
            "that column into the spreadsheet as text."
        )
