"""Figures with their intervals, by model or by finding: for the script, and in a saved table."""

from __future__ import annotations

import math

from explorer.core.arrays import Floats, or_none
from explorer.core.text_grid import figure_text
from explorer.ui.shared.panel_words import ValuePayload


def values(point: Floats, low: Floats, high: Floats) -> list[ValuePayload]:
    """Null where undefined or, of intervals, still to come."""
    each = zip(point, low, high, strict=True)
    return [{"value": or_none(value), "low": or_none(least), "high": or_none(most)} for value, least, most in each]


def figure_words(point: Floats, low: Floats, high: Floats) -> list[str]:
    """Such as `0.512 [0.490, 0.530]`."""
    return [figure_text(*each) for each in zip(point, low, high, strict=True)]


def value_words(figure: ValuePayload) -> str:
    """The same of one figure as the script gets it."""
    ends = (figure["value"], figure["low"], figure["high"])
    return figure_text(*(math.nan if each is None else each for each in ends))
