"""Bands of age, severity and size, told once more."""

from __future__ import annotations


def band_of(age: object) -> str:
    """The age band of years."""
    if age is None:
        return "unknown"
    return next(
        band for top, band in ((17, "0-17"), (39, "18-39"), (59, "40-59"), (79, "60-79"), (999, "80+")) if age <= top
    )


def third_of(severity: object) -> str | None:
    """The band of a severity."""
    assert severity is None or isinstance(severity, float)
    return None if severity is None else ("faint", "moderate", "marked")[(severity >= 0.33) + (severity >= 0.67)]


def size_of(area: object) -> str | None:
    """The band of a share of the film."""
    assert area is None or isinstance(area, float)
    return None if area is None else ("small", "medium", "large")[(area >= 0.01) + (area >= 0.05)]
