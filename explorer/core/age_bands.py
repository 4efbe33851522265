"""Age bands: the page never shows a patient's exact age, and groups of films are compared by band."""

from __future__ import annotations

from typing import Literal, get_args

AgeBand = Literal["0-17", "18-39", "40-59", "60-79", "80+", "unknown"]
AGE_BANDS: tuple[AgeBand, ...] = get_args(AgeBand)
_BELOW: tuple[tuple[int, AgeBand], ...] = ((18, "0-17"), (40, "18-39"), (60, "40-59"), (80, "60-79"))
_OLDEST: AgeBand = "80+"
# The same rule in SQL, for a column `age`.
AGE_BAND_SQL = (
    "CASE WHEN age IS NULL THEN 'unknown' "
    + " ".join(f"WHEN age < {below} THEN '{band}'" for below, band in _BELOW)
    + f" ELSE '{_OLDEST}' END"
)


def age_band(age: int | None) -> AgeBand:
    """Return the band of an age in years; "unknown" for None."""
    if age is None:
        return "unknown"
    return next((band for below, band in _BELOW if age < below), _OLDEST)
