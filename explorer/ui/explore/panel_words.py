"""What the panels of Explore have in common: how rates, intervals and centers go to the script."""

from __future__ import annotations

from typing import Any

from explorer.ui.explore import links

Json = dict[str, Any]
Interval = tuple[float, float] | None
FEW = 10  # positives below which a rate is grayed


def bounds(interval: Interval) -> Json:
    """Low and high of an interval, null where there is none."""
    low, high = interval or (None, None)
    return {"low": low, "high": high}


def center_word(cohort: str, center: str) -> str | None:
    """What stands for a center in addresses; None for all centers together, whose name is empty."""
    return links.center_id(cohort, center) if center else None
