"""What the panels of Explore have in common: how rates, intervals and centers go to the script."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from explorer.core.metric_plan import Grouping
from explorer.core.rates import Rate
from explorer.ui.explore import links

Json = dict[str, Any]
Interval = tuple[float, float] | None
FEW = 10  # positives below which a rate is greyed
GROUP_SOURCES: Mapping[Grouping, str] = MappingProxyType(
    {
        "paper": "CXR-LT 2026",
        "padchest": "PadChest, 110,633 frontal films",
        "nih": "NIH ChestX-ray14, 112,120 films",
        "cohort": "this cohort's own labels",
    }
)


def rate_payload(rate: Rate) -> Json:
    """A rate with its n and its 95 % interval by Wilson; value null where nothing was counted."""
    return {"hits": rate.hits, "n": rate.n, "value": rate.value} | bounds(rate.interval)


def bounds(interval: Interval) -> Json:
    """Low and high of an interval, null where there is none."""
    low, high = interval or (None, None)
    return {"low": low, "high": high}


def center_word(cohort: str, center: str) -> str | None:
    """What stands for a center in addresses; None for all centers together, whose name is empty."""
    return links.center_id(cohort, center) if center else None
