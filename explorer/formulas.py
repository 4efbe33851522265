"""Text that a spreadsheet would run: a name of a file, a center or a word that starts as a formula does."""

from __future__ import annotations

FORMULA_STARTS = ("=", "+", "-", "@")


def harmless(text: str) -> str:
    """The text, quoted where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip().startswith(FORMULA_STARTS) else text
