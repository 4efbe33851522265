"""A slice to take away: its rows as CSV or Parquet, or the statement that finds them, each with what it was made of."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from explorer.answers import TooManyRows
from explorer.export import NOT_FOR_MEDICAL_USE
from explorer.formulas import FORMULA_STARTS
from explorer.slices import Slice, sentence
from explorer.version import version

if TYPE_CHECKING:
    from explorer.store import Store

MOST_CSV = 100_000  # rows: some 50 MB, as much as a browser takes well in one piece
METADATA = b"tailscope"  # where a Parquet file's schema holds the facts, as JSON


@dataclass(frozen=True, slots=True)
class Export:
    """A file: its name says nothing that the slice's words do not."""

    name: str
    media_type: str
    data: bytes


def export_slice(store: Store, chosen: Slice, kind: str) -> Export:
    """The slice as one of KINDS; raises KeyError for another, TooManyRows, and what the store does."""
    write, media_type = KINDS[kind]
    facts = facts_of(store, chosen)
    name = f"tailscope-{chosen.cohort}-{chosen.model}-{facts['cohort_version']}.{kind}"
    return Export(name, media_type, write(store, chosen, facts))


def facts_of(store: Store, chosen: Slice) -> dict[str, str]:
    """What has to be known to count the same again."""
    cohort = next(each for each in store.cohorts() if each.name == chosen.cohort)
    model = store.model(chosen.cohort, chosen.model)
    return {
        "slice": sentence(chosen, model.unit),
        "use": NOT_FOR_MEDICAL_USE,
        "films": "SIMULATED" if cohort.simulated else "real",
        "cohort": cohort.name,
        "cohort_version": cohort.version,
        "cohort_source": cohort.source,
        "model": model.model,
        "model_sha256": model.sha256 or "not known",
        "model_preprocessing": model.preprocessing,
        "model_split": model.split,
        "model_thresholds": model.thresholds,
        "score_is": "a score" if model.scale is None else f"a margin; sigmoid({model.scale:g} * margin) is the score",
        "group_source": chosen.source,
        "tailscope_version": version(),
        "made_utc": datetime.now(UTC).replace(microsecond=0).isoformat(),
    }


def _csv(store: Store, chosen: Slice, facts: dict[str, str]) -> bytes:
    """The facts repeat in every line, as in every table of this project. No text starts a formula in a spreadsheet."""
    pairs = store.count(chosen).pairs
    if pairs > MOST_CSV:
        raise TooManyRows(
            f"This slice has {pairs:,} pairs", f"A CSV file holds {MOST_CSV:,}. Narrow the slice, or take Parquet."
        )
    table = store.rows(chosen)
    columns = {name: _plain(table.column(name)) for name in table.column_names}
    columns |= {name: _plain(pa.array([text] * len(table), pa.string())) for name, text in facts.items()}
    written = io.BytesIO()
    pacsv.write_csv(pa.table(columns), written)
    return written.getvalue()


def _plain(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if not (pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)):
        return column
    text = column.cast(pa.string())
    starts = pc.is_in(pc.utf8_slice_codeunits(pc.utf8_ltrim_whitespace(text), 0, 1), pa.array(FORMULA_STARTS))
    return pc.if_else(starts, pc.binary_join_element_wise("'", text, ""), text)


def _parquet(store: Store, chosen: Slice, facts: dict[str, str]) -> bytes:
    table = store.rows(chosen)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), METADATA: json.dumps(facts).encode()})
    written = io.BytesIO()
    pq.write_table(table, written, compression="zstd")
    return written.getvalue()


def _sql(store: Store, chosen: Slice, facts: dict[str, str]) -> bytes:
    """For DuckDB in the cohort's folder: `duckdb.execute(statement, parameters)`."""
    statement, parameters = store.sql(chosen)
    lines = [f"-- {name}: {' '.join(text.split())}" for name, text in facts.items()]
    lines.append("-- Run it with DuckDB in the cohort's folder; the parameters, in their order:")
    lines.append(f"-- {json.dumps(parameters)}")
    return ("\n".join([*lines, statement]) + "\n").encode()


KINDS: dict[str, tuple[Callable[[Store, Slice, dict[str, str]], bytes], str]] = {
    "csv": (_csv, "text/csv"),
    "parquet": (_parquet, "application/vnd.apache.parquet"),
    "sql": (_sql, "application/sql"),
}
