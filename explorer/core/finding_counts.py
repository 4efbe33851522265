"""Bands for the number of findings on a film, used to compare films with one disease to films with several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from explorer.core.findings import COMPATIBLE_WITH_NORMAL

FindingCount = Literal["none", "1", "2-3", "4+", "unknown"]
FINDING_COUNTS: tuple[FindingCount, ...] = get_args(FindingCount)
_BELOW: tuple[tuple[int, FindingCount], ...] = ((1, "none"), (2, "1"), (4, "2-3"))
_MOST: FindingCount = "4+"
# The same rule in SQL, for a column `findings_present`: null for a film without a known label.
FINDING_COUNT_SQL = (
    "CASE WHEN findings_present IS NULL THEN 'unknown' "
    + " ".join(f"WHEN findings_present < {below} THEN '{band}'" for below, band in _BELOW)
    + f" ELSE '{_MOST}' END"
)


def finding_count(present: Iterable[str], *, labeled: bool) -> FindingCount:
    """Return the band of a film with these findings; "unknown" if no finding is labeled present or absent.

    Normal and Support Devices are not diseases and are not counted. Uncertain and unknown findings count as not
    present.
    """
    if not labeled:
        return "unknown"
    return count_band(len(set(present) - {*COMPATIBLE_WITH_NORMAL}))


def count_band(count: int) -> FindingCount:
    """Return the band of a number of findings."""
    return next((band for below, band in _BELOW if count < below), _MOST)
