"""A figure where there is room for it."""

from __future__ import annotations

from explorer.core.rates import share_texts
from explorer.evaluation.lines import MetricEstimate


def long_figure(estimate: MetricEstimate, mark: str) -> str:
    """`0.585* [0.540, 0.621]`."""
    known = (each for each in (estimate.value, estimate.low, estimate.high) if each is not None)
    figure, *ends = share_texts(*known, digits=3)
    interval = f"[{', '.join(ends)}]" if ends else "no interval"
    return f"{figure}{mark} {interval}"
