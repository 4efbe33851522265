"""Intervals of rates."""

from __future__ import annotations

import math


def wilson(hits: int, n: int) -> tuple[float, float]:
    """95 % interval (low, high) of the rate hits / n (Wilson, 1927); raises ZeroDivisionError where n is 0."""
    z = 1.959964
    rate, spread = hits / n, z * z / n
    center = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, center - half), min(1.0, center + half)
