"""What the panels of Explore have in common: how rates, intervals and centers go to the script."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.performance.two_sides import Difference
from explorer.ui.shared import links

Interval = tuple[float, float] | None
FEW = 10  # positives below which a rate is grayed


class BoundsPayload(TypedDict):
    """Low and high of a 95 % interval, null where there is none."""

    low: float | None
    high: float | None


class ValuePayload(BoundsPayload):
    """A number, null where it is not defined, and its interval."""

    value: float | None


class DifferencePayload(BoundsPayload):
    """One minus the other; `p` is adjusted over all differences that are shown together, null while some are to come;
    `marked`: it is 0.05 at most, and the two can be compared.

    `other_prevalence`: they cannot, it is one of average precision on films of different prevalence.
    """

    value: float | None
    p: float | None
    marked: bool
    other_prevalence: bool


def difference_payload(difference: Difference) -> DifferencePayload:
    """A difference with its interval."""
    return {
        "value": difference.value,
        "p": difference.adjusted,
        "marked": difference.marked,
        "other_prevalence": difference.other_prevalence,
        **bounds(difference.interval),
    }


def bounds(interval: Interval) -> BoundsPayload:
    """The ends of an interval."""
    low, high = interval or (None, None)
    return {"low": low, "high": high}


def center_word(cohort: str, center: str) -> str | None:
    """What stands for a center in addresses; None for all centers together, whose name is empty."""
    return links.center_id(cohort, center) if center else None
