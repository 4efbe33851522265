"""Formats figures with intervals, for the script and for saved tables."""

from __future__ import annotations

import math
from collections.abc import Iterator

from explorer.core.arrays import Floats, or_none
from explorer.core.figures import difference_text, figure_text
from explorer.ui.shared.panel_words import ValuePayload


def values(point: Floats, low: Floats, high: Floats) -> list[ValuePayload]:
    """Return figures as JSON; null if undefined or, for intervals, not yet computed."""
    each = zip(point, low, high, strict=True)
    return [{"value": or_none(value), "low": or_none(least), "high": or_none(most)} for value, least, most in each]


def figure_words(point: Floats, low: Floats, high: Floats) -> list[str]:
    """Return texts such as `0.512 [0.490\N{EN DASH}0.530]`."""
    return [figure_text(*each) for each in zip(point, low, high, strict=True)]


def value_words(figure: ValuePayload) -> str:
    """Return the text of one JSON figure."""
    return figure_text(*_ends(figure))


def difference_words(figure: ValuePayload) -> str:
    """Return the text of a signed figure: a difference or correlation."""
    return difference_text(*_ends(figure))


def _ends(figure: ValuePayload) -> Iterator[float]:
    ends = (figure["value"], figure["low"], figure["high"])
    return (math.nan if each is None else each for each in ends)
