"""A figure with its interval, and how far it is ahead of another, as the lab's tables write them."""

from __future__ import annotations

from explorer.core.figures import difference_text, figure_text, mean_text

Interval = tuple[float, float, float]  # point, low, high


def interval_words(value: Interval, ahead: Interval | None, between: str = "") -> str:
    """`0.524 [0.512\N{EN DASH}0.543]; +0.007 [\u22120.001, +0.014]`, what is `between` the two behind the first."""
    return figure_text(*value) + between + ("" if ahead is None else f"; {difference_text(*ahead)}")


def called_words(called: Interval | None) -> str:
    """How many findings are called on a film without any: `0.26 [0.22\N{EN DASH}0.30]`."""
    return "no such films" if called is None else mean_text(*called, digits=2)
