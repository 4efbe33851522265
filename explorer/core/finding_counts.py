"""How many findings a film has, in bands: how a model does on films with one disease, and on those with several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from explorer.core.findings import BESIDE_NORMAL

FindingCount = Literal["none", "1", "2-3", "4+", "unknown"]
FINDING_COUNTS: tuple[FindingCount, ...] = get_args(FindingCount)
_BELOW: tuple[tuple[int, FindingCount], ...] = ((1, "none"), (2, "1"), (4, "2-3"))
_MOST: FindingCount = "4+"
# The same rule for a column `findings_present`: null of a film without a known label.
FINDING_COUNT_SQL = (
    "CASE WHEN findings_present IS NULL THEN 'unknown' "
    + " ".join(f"WHEN findings_present < {below} THEN '{band}'" for below, band in _BELOW)
    + f" ELSE '{_MOST}' END"
)


def finding_count(present: Iterable[str], *, labeled: bool) -> FindingCount:
    """The band of a film with these findings labeled present; "unknown" where no finding is labeled present or absent.

    Normal and Support Devices do not count: neither is a disease. What is uncertain or unknown is not present.
    """
    if not labeled:
        return "unknown"
    return band_of(len(set(present) - {*BESIDE_NORMAL}))


def band_of(count: int) -> FindingCount:
    """The band of so many findings."""
    return next((band for below, band in _BELOW if count < below), _MOST)
