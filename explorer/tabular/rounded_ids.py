"""Identifiers that a spreadsheet took for numbers and rounded: 3.24E+38. They name nobody any more."""

from __future__ import annotations

import re
from dataclasses import dataclass

_ROUNDED = re.compile(r"\s*\d(?:[.,]\d+)?E\+\d{2,3}\s*", re.IGNORECASE | re.ASCII)


def rounded(text: str) -> bool:
    """Whether a text is a long number as a spreadsheet shows it."""
    return "+" in text and _ROUNDED.fullmatch(text) is not None


@dataclass(slots=True)
class RoundedIds:
    """Those of a column, counted. `what` they name, in the plural."""

    what: str
    count: int = 0
    first: str = ""
    line: int = 0

    def see(self, text: str, line: int) -> bool:
        """Whether it is one."""
        if not rounded(text):
            return False
        if not self.count:
            self.first, self.line = text.strip(), line
        self.count += 1
        return True

    @property
    def said(self) -> str:
        """How many there are, with the first."""
        example = f"such as {self.first!r} in line {self.line:,}"
        return f"{self.count:,} {self.what} are numbers that a spreadsheet has rounded, {example}"

    @property
    def refusal(self) -> str:
        """What to say where nothing can be done without them."""
        return (
            f"{self.said}: they name no image any more. Take the file from before the spreadsheet, or let the "
            "spreadsheet import that column as text."
        )
