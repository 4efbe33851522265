"""SQL that returns the model's results for one case, ready to copy and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cohorts.unlisted import public_name
from explorer.store.slices import Slice
from explorer.store.sql_literals import filled

if TYPE_CHECKING:
    from explorer.store.store import Store


def case_sql(store: Store, asked: Slice, case: str) -> str:
    """A DuckDB statement, with its values, for the cohort's folder. Raises what the store does."""
    everything = Slice(asked.cohort, asked.model, label_source=asked.label_source)
    sql, values = store.sql(everything)
    whole = f'SELECT * FROM (\n{sql}\n) WHERE "case" = ?;'
    return f"-- DuckDB, in the folder of {public_name(asked.cohort)}\n{filled(whole, [*values, case])}\n"
