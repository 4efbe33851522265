"""Formats a figure with its interval and its difference from another for the lab's tables."""

from __future__ import annotations

from explorer.core.figures import difference_text, figure_text, mean_text

PointInterval = tuple[float, float, float]  # point, low, high


def interval_words(value: PointInterval, ahead: PointInterval | None, between: str = "") -> str:
    """Return `0.524 [0.512\N{EN DASH}0.543]; +0.007 [\u22120.001, +0.014]`, `between` inserted after the first."""
    return figure_text(*value) + between + ("" if ahead is None else f"; {difference_text(*ahead)}")


def flagged_words(called: PointInterval | None) -> str:
    """Return the number of findings flagged on a normal film, such as `0.26 [0.22\N{EN DASH}0.30]`."""
    return "no such films" if called is None else mean_text(*called, digits=2)
