"""Parses a cell of a labels file or a scores file."""

from __future__ import annotations

import math
import re

from explorer.tabular.missing_words import is_missing
from explorer.tabular.problems import WrongCell

UNCERTAIN = -1.0
LABEL_VALUES = {"1": 1.0, "0": 0.0, "": math.nan, "-1": UNCERTAIN, "1.0": 1.0, "0.0": 0.0, "-1.0": UNCERTAIN}

_NUMBER = re.compile(r"[+-]?\d{1,30}(?:\.\d{0,30})?(?:e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)

NO_LABEL = "cells that are not a label"
NO_NUMBER = "cells that are not a number"
NO_SCORE = "cells without a score"
NOT_FROM_0_TO_1 = "scores outside 0 to 1"
NOT_FINITE = "numbers that are not finite"


def parse_label(cell: str) -> float:
    """Return 1 for present, 0 for absent, UNCERTAIN, or NaN for a blank. Raises WrongCell, which describes the cell."""
    text = cell.strip()
    if text in LABEL_VALUES:
        return LABEL_VALUES[text]
    if _NUMBER.fullmatch(text) and (value := float(text)) in (1, 0, UNCERTAIN):  # 1.00, +1, 1e+00
        return value
    raise WrongCell(f"{cell!r} is not a label: write 1, 0, -1 for uncertain or leave it blank for unknown", NO_LABEL)


def is_label(cell: str) -> bool:
    """Whether a cell is a valid label."""
    try:
        parse_label(cell)
    except WrongCell:
        return False
    return True


def parse_score(cell: str) -> float:
    """Return a score from 0 to 1. Raises WrongCell."""
    value = _number(cell, "score")
    if 0 <= value <= 1:
        return value
    raise WrongCell(f"the score {cell.strip()} is not from 0 to 1", NOT_FROM_0_TO_1)


def parse_logit(cell: str) -> float:
    """Return the score from 0 to 1 for a finite logit. Raises WrongCell."""
    value = parse_finite(cell)
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    small = math.exp(value)
    return small / (1 + small)


def parse_finite(cell: str) -> float:
    """Return any finite number. Raises WrongCell."""
    value = _number(cell, "number")
    if math.isfinite(value):
        return value
    raise WrongCell(f"{cell.strip()} is not a finite number", NOT_FINITE)


def parse_weight(cell: str) -> float:
    """Return the weight of an image, a positive finite number. Raises WrongCell."""
    value = _number(cell, "weight")
    if 0 < value < math.inf:
        return value
    raise WrongCell(f"the weight {cell.strip()} is not a positive finite number", "weights that are not above 0")


def _number(cell: str, what: str) -> float:
    """Return a number that is not NaN. Raises WrongCell, also for words for a missing value."""
    if is_missing(cell):
        word = f": {cell.strip()!r}" if cell.strip() else ""
        raise WrongCell(f"no {what}{word}", f"cells without a {what}")
    try:
        value = float(cell)
    except ValueError:
        raise WrongCell(f"{cell!r} is not a number", NO_NUMBER) from None
    if "_" in cell:  # Python accepts underscores between digits
        raise WrongCell(f"{cell!r} is not a number", NO_NUMBER)
    return value
