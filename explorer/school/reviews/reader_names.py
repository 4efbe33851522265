"""How a reader appears outside the review: R1, R2, ..., neither the name nor the code that opens their work."""

from __future__ import annotations


def reader_name(reader: int) -> str:
    """Return the label of a reader, counted from 0."""
    return f"R{reader + 1}"
