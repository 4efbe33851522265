"""Bands for the appearance of a finding: its severity, and its share of the film."""

from __future__ import annotations

from typing import Literal, get_args

Side = Literal["left", "right", "both", "none"]  # of the patient; "none": the finding has no side
SeverityBand = Literal["faint", "moderate", "marked"]
SizeBand = Literal["small", "medium", "large"]
SIDES: tuple[Side, ...] = get_args(Side)
# Thirds, because the simulator draws severity uniformly from 0 to 1.
_SEVERITY: tuple[tuple[float, SeverityBand], ...] = ((0.33, "faint"), (0.67, "moderate"))
_MOST_SEVERE: SeverityBand = "marked"
# Shares of the film. Of the simulated cohort's findings, a quarter are small (nodules, catheters, calcifications) and a
# third medium (masses, fractures, bullae); findings that fill a lung or deform the chest are large.
_AREA: tuple[tuple[float, SizeBand], ...] = ((0.01, "small"), (0.05, "medium"))
_LARGEST: SizeBand = "large"
SEVERITY_TITLES: dict[SeverityBand, str] = {
    "faint": "faint: under 0.33",
    "moderate": "moderate: 0.33 to under 0.67",
    "marked": "marked: 0.67 or more",
}
SIZE_TITLES: dict[SizeBand, str] = {
    "small": "small: under 1 % of the film",
    "medium": "medium: 1 to under 5 % of the film",
    "large": "large: 5 % of the film or more",
}


def severity_band(severity: float | None) -> SeverityBand | None:
    """Return the band of a severity from 0 to 1; None for None."""
    if severity is None:
        return None
    return next((band for below, band in _SEVERITY if severity < below), _MOST_SEVERE)


def size_band(area: float | None) -> SizeBand | None:
    """Return the band of a share of the film; None for None."""
    if area is None:
        return None
    return next((band for below, band in _AREA if area < below), _LARGEST)


def _band_sql(column: str, bands: tuple[tuple[float, str], ...], last: str) -> str:
    """Return SQL for the band of a column's values; `last` is the band above all bounds in `bands`."""
    cases = " ".join(f"WHEN {column} < {below}::DOUBLE THEN '{band}'" for below, band in bands)
    return f"CASE {cases} WHEN {column} IS NOT NULL THEN '{last}' END"


SEVERITY_BAND_SQL = _band_sql("severity", _SEVERITY, _MOST_SEVERE)
SIZE_BAND_SQL = _band_sql("area", _AREA, _LARGEST)
