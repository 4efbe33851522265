"""Figures with their intervals, by model or by finding: for the script, and in a saved table."""

from __future__ import annotations

import math
from collections.abc import Iterator

from explorer.core.arrays import Floats, or_none
from explorer.core.figures import difference_text, figure_text
from explorer.ui.shared.panel_words import ValuePayload


def values(point: Floats, low: Floats, high: Floats) -> list[ValuePayload]:
    """Null where undefined or, of intervals, still to come."""
    each = zip(point, low, high, strict=True)
    return [{"value": or_none(value), "low": or_none(least), "high": or_none(most)} for value, least, most in each]


def figure_words(point: Floats, low: Floats, high: Floats) -> list[str]:
    """Such as `0.512 [0.490\N{EN DASH}0.530]`."""
    return [figure_text(*each) for each in zip(point, low, high, strict=True)]


def value_words(figure: ValuePayload) -> str:
    """The same of one figure as the script gets it."""
    return figure_text(*_ends(figure))


def difference_words(figure: ValuePayload) -> str:
    """The same of what has a sign: a difference or a correlation."""
    return difference_text(*_ends(figure))


def _ends(figure: ValuePayload) -> Iterator[float]:
    ends = (figure["value"], figure["low"], figure["high"])
    return (math.nan if each is None else each for each in ends)
