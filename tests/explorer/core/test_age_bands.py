"""Age bands in Python and in the store's SQL are the same."""

from __future__ import annotations

from typing import get_args

import duckdb
import pytest

from explorer.core.age_bands import AGE_BAND_SQL, AgeBand, age_band


@pytest.mark.parametrize(
    ("age", "band"),
    [
        (None, "unknown"),
        (0, "0-17"),
        (17, "0-17"),
        (18, "18-39"),
        (40, "40-59"),
        (79, "60-79"),
        (80, "80+"),
        (105, "80+"),
    ],
)
def test_an_age_has_one_band(age: int | None, band: str) -> None:
    assert age_band(age) == band and band in get_args(AgeBand)
    with duckdb.connect() as database:
        (found,) = database.execute(f"SELECT {AGE_BAND_SQL} FROM (SELECT ?::INTEGER AS age)", [age]).fetchone() or ()
    assert found == band
