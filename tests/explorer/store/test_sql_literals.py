"""A statement with its parameters written into it gives what it gave with its parameters beside it."""

from __future__ import annotations

import duckdb
import pytest

from explorer.store.sql_literals import filled, literal

HOSTILE = [
    "it's",
    "''",
    "'",
    "?",
    "a ? b",
    "'; DROP TABLE cases; --",
    "-- a comment",
    "/* a comment",
    '"a name"',
    "\\'",
    "line\nline",
    "$$a$$",
    "ümlaut 心",
    "",
    "nul\0nul",
]


@pytest.mark.parametrize("value", [*HOSTILE, 0, -3, 10**15, 0.1, 1e-300, -2.5, True, False, None])
def test_a_literal_is_read_back_as_the_value(plainly: duckdb.DuckDBPyConnection, value: object) -> None:
    (found,) = plainly.execute(f"SELECT {literal(value)}").fetchone() or ()
    assert (float(found) if isinstance(value, float) else found) == value


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_a_number_without_digits_is_read_back(plainly: duckdb.DuckDBPyConnection, value: float) -> None:
    (found,) = plainly.execute(f"SELECT {literal(value)}").fetchone() or ()
    assert repr(found) == repr(value)


@pytest.mark.parametrize("one", HOSTILE)
@pytest.mark.parametrize("other", HOSTILE)
def test_every_value_lands_in_its_own_place(plainly: duckdb.DuckDBPyConnection, one: str, other: str) -> None:
    sql = """SELECT ? AS a, '?''?' AS b, "?" AS c, ? AS d -- is it?\nFROM (SELECT 'in a name' AS "?")"""
    said = plainly.execute(filled(sql, [one, other])).fetchone()
    assert said == (one, "?'?", "in a name", other)


def test_a_quote_in_a_case_is_no_end_of_a_text() -> None:
    assert filled("SELECT ?, ?", ["it's", 3]) == "SELECT 'it''s', 3"


@pytest.mark.parametrize("values", [[], [1], [1, 2, 3]])
def test_a_value_too_many_or_too_few_is_refused(values: list[object]) -> None:
    with pytest.raises(ValueError, match="has 2 parameters"):
        filled("SELECT ?, ?", values)


def test_several_values_are_read_back_as_a_list(plainly: duckdb.DuckDBPyConnection) -> None:
    (found,) = plainly.execute(f"SELECT {literal(tuple(HOSTILE))}::VARCHAR[]").fetchone() or ()
    assert found == HOSTILE
    assert plainly.execute(f"SELECT {literal(())}::VARCHAR[]").fetchone() == ([],)


def test_another_kind_of_value_is_refused() -> None:
    with pytest.raises(TypeError, match="list"):
        literal([1])
