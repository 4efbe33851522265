"""A figure where there is room for it."""

from __future__ import annotations

from explorer.evaluation.lines import MetricEstimate


def long_figure(estimate: MetricEstimate, mark: str) -> str:
    """`0.585* [0.540, 0.621]`."""
    interval = "no interval" if estimate.low is None else f"[{estimate.low:.3f}, {estimate.high:.3f}]"
    return f"{estimate.value:.3f}{mark} {interval}"
