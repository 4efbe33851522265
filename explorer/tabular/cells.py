"""What a cell of a labels file or of a scores file may say."""

from __future__ import annotations

import math

UNCERTAIN = -1.0
LABELS = {"1": 1.0, "0": 0.0, "": math.nan, "-1": UNCERTAIN, "1.0": 1.0, "0.0": 0.0, "-1.0": UNCERTAIN}


def label(cell: str) -> float:
    """1 present, 0 absent, UNCERTAIN, NaN unknown (a blank). Raises ValueError with what the cell is instead."""
    try:
        return LABELS[cell.strip()]
    except KeyError:
        raise ValueError(
            f"{cell!r} is not a label: write 1, 0, -1 for uncertain or leave it blank for unknown"
        ) from None


def score(cell: str) -> float:
    """A score from 0 to 1. Raises ValueError with what the cell is instead."""
    value = _number(cell, "score")
    if 0 <= value <= 1:
        return value
    raise ValueError("the score is NaN" if math.isnan(value) else f"the score {cell.strip()} is not from 0 to 1")


def finite(cell: str) -> float:
    """Any finite number. Raises ValueError with what the cell is instead."""
    value = _number(cell, "number")
    if math.isfinite(value):
        return value
    raise ValueError(f"{cell.strip()} is not a finite number")


def weight(cell: str) -> float:
    """How much an image counts, a positive finite number. Raises ValueError with what the cell is instead."""
    value = _number(cell, "weight")
    if 0 < value < math.inf:
        return value
    raise ValueError(f"the weight {cell.strip()} is not a positive finite number")


def _number(cell: str, what: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        raise ValueError(f"{cell!r} is not a number" if cell.strip() else f"no {what}") from None
    if "_" in cell:  # Python's own way to write digits
        raise ValueError(f"{cell!r} is not a number")
    return value
