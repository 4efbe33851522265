"""Bands of severity and size: the rule in Python, in SQL and in the words is one."""

from __future__ import annotations

import duckdb
import pytest

from explorer.core.appearance_bands import (
    SEVERITY_BAND_SQL,
    SEVERITY_TITLES,
    SIZE_BAND_SQL,
    SIZE_TITLES,
    severity_band,
    size_band,
)

SEVERITIES = {
    None: None,
    0.0: "faint",
    0.32: "faint",
    0.33: "moderate",
    0.66: "moderate",
    0.67: "marked",
    1.0: "marked",
}
AREAS = {None: None, 0.0: "small", 0.0099: "small", 0.01: "medium", 0.0499: "medium", 0.05: "large", 1.0: "large"}


def in_sql(rule: str, column: str, value: float | None) -> object:
    (found,) = duckdb.sql(f"SELECT {rule} FROM (SELECT ?::DOUBLE AS {column})", params=[value]).fetchall()
    return found[0]


@pytest.mark.parametrize(("severity", "band"), SEVERITIES.items())
def test_severity(severity: float | None, band: str | None) -> None:
    assert severity_band(severity) == band
    assert in_sql(SEVERITY_BAND_SQL, "severity", severity) == band


@pytest.mark.parametrize(("area", "band"), AREAS.items())
def test_size(area: float | None, band: str | None) -> None:
    assert size_band(area) == band
    assert in_sql(SIZE_BAND_SQL, "area", area) == band


def test_every_band_has_its_words_with_the_cuts() -> None:
    assert list(SEVERITY_TITLES) == list(dict.fromkeys(filter(None, SEVERITIES.values())))
    assert list(SIZE_TITLES) == list(dict.fromkeys(filter(None, AREAS.values())))
    assert "0.33" in SEVERITY_TITLES["faint"] and "0.67" in SEVERITY_TITLES["marked"]
    assert "1 %" in SIZE_TITLES["small"] and "5 %" in SIZE_TITLES["large"]
