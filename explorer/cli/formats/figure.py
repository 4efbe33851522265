"""A figure with its interval: where there is room for it, and where there is not."""

from __future__ import annotations

from explorer.core.rates import share_texts
from explorer.evaluation.lines import MetricEstimate


def long_figure(estimate: MetricEstimate, mark: str) -> str:
    """`0.585* [0.540, 0.621]`."""
    known = (each for each in (estimate.value, estimate.low, estimate.high) if each is not None)
    figure, *ends = share_texts(*known, digits=3)
    interval = f"[{', '.join(ends)}]" if ends else "no interval"
    return f"{figure}{mark} {interval}"


def short_figure(estimate: MetricEstimate, mark: str) -> str:
    """`.585 [.540-.621]`; the mark takes the place of the space, so that columns stay narrow."""
    known = (each for each in (estimate.value, estimate.low, estimate.high) if each is not None)
    figure, *ends = map(_short, share_texts(*known, digits=3))
    interval = "-".join(ends) or "no interval"
    return f"{figure}{mark or ' '}[{interval}]"


def _short(text: str) -> str:
    """A number from 0 to 1 without the zero before its decimals; 1 has one less instead."""
    return text[1:] if text.startswith("0") else text[:-1]
