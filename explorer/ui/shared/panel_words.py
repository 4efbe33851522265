"""The payloads shared by Explore's panels: rates, intervals and centers."""

from __future__ import annotations

from typing import TypedDict

from explorer.analysis.performance.two_sides import Difference
from explorer.ui.shared import links

OptionalInterval = tuple[float, float] | None
FEW_POSITIVES = 10  # positives below which a rate is grayed


class BoundsPayload(TypedDict):
    """Low and high of a 95 % interval; null if there is none."""

    low: float | None
    high: float | None


class ValuePayload(BoundsPayload):
    """A number, null if undefined, and its interval."""

    value: float | None


class DifferencePayload(BoundsPayload):
    """One value minus another. `p` is adjusted over all differences shown together; null while some are pending.

    `marked`: `p` is at most 0.05 and the two can be compared.

    `other_prevalence`: they cannot be compared, because average precision depends on the films' prevalence.
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
        **bounds_payload(difference.interval),
    }


def bounds_payload(interval: OptionalInterval) -> BoundsPayload:
    """The ends of an interval."""
    low, high = interval or (None, None)
    return {"low": low, "high": high}


def center_word(cohort: str, center: str) -> str | None:
    """The center's word in addresses; None for all centers together, whose name is empty."""
    return links.center_id(cohort, center) if center else None
