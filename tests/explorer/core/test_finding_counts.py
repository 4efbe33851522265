"""How many findings a film has: the rule in Python and in SQL is one."""

from __future__ import annotations

import duckdb
import pytest

from explorer.core.finding_counts import FINDING_COUNT_SQL, finding_count

NAMES = ("Mass", "Nodule", "Bulla", "Hernia", "Fracture", "Kyphosis")


@pytest.mark.parametrize(("n", "band"), [(0, "none"), (1, "1"), (2, "2-3"), (3, "2-3"), (4, "4+"), (6, "4+")])
def test_bands(n: int, band: str) -> None:
    assert finding_count(NAMES[:n], labeled=True) == band
    assert in_sql(n) == band


def test_what_is_no_disease_does_not_count() -> None:
    assert finding_count(("Normal", "Support Devices"), labeled=True) == "none"
    assert finding_count(("Support Devices", "Mass"), labeled=True) == "1"


def test_of_a_film_without_a_label_nothing_is_known() -> None:
    assert finding_count((), labeled=False) == "unknown"
    assert in_sql(None) == "unknown"


def in_sql(n: int | None) -> object:
    counted = f"SELECT {FINDING_COUNT_SQL} FROM (SELECT ?::BIGINT AS findings_present)"
    (found,) = duckdb.sql(counted, params=[n]).fetchall()
    return found[0]
