"""Figures with their intervals, by model or by finding: for the script, and in a saved table."""

from __future__ import annotations

from explorer.core.arrays import Floats, or_none
from explorer.ui.explore.panel_words import ValuePayload


def values(point: Floats, low: Floats, high: Floats) -> list[ValuePayload]:
    """Null where undefined or, of intervals, still to come."""
    each = zip(point, low, high, strict=True)
    return [{"value": or_none(value), "low": or_none(least), "high": or_none(most)} for value, least, most in each]


def figure_words(point: Floats, low: Floats, high: Floats) -> list[str]:
    """Such as `0.512 [0.490, 0.530]`."""
    return [_words(*each) for each in zip(point, low, high, strict=True)]


def _words(value: float, low: float, high: float) -> str:
    if value != value:
        return "undefined"
    return f"{value:.3f}" if low != low else f"{value:.3f} [{low:.3f}, {high:.3f}]"
