"""A figure with its interval, and how far it is ahead of another, as the lab's tables write them."""

from __future__ import annotations

import math

from explorer.shipped.training.tables import interval

Interval = tuple[float, float, float]  # point, low, high


def interval_words(value: Interval, ahead: Interval | None, between: str = "") -> str:
    """`0.524 [0.512-0.543]; +0.007 [-0.001, +0.014]`, what is `between` the two behind the first."""
    return interval(value) + between + ("" if ahead is None else f"; {_signed(ahead)}")


def _signed(ahead: Interval) -> str:
    if any(math.isnan(each) for each in ahead):
        return "undefined"
    value, low, high = ahead
    return f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"


def called_words(called: Interval | None) -> str:
    """How many findings are called on a film without any: `0.26 [0.22-0.30]`."""
    if called is None:
        return "no such films"
    value, low, high = called
    return f"{value:.2f} [{low:.2f}-{high:.2f}]"
