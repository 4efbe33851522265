"""A slice to take away: its rows as CSV or Parquet, or the statement that finds them, each with what it was made of."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from explorer.analysis.text_ranking import TextRanking, rows_of_cases
from explorer.core.csv_safe import FORMULA
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.version import version
from explorer.store.results import TooManyRows
from explorer.store.slices import Slice, sentence

if TYPE_CHECKING:
    from explorer.store.store import Store

MOST_CSV = 100_000  # rows: some 50 MB, as much as a browser takes well in one piece
METADATA = b"tailscope"  # where a Parquet file's schema holds the facts, as JSON


@dataclass(frozen=True, slots=True)
class Export:
    """A file: its name says nothing that the slice's words do not."""

    name: str
    media_type: str
    data: bytes


def export_slice(store: Store, chosen: Slice, kind: str, ranked: TextRanking | None = None) -> Export:
    """The slice as one of KINDS, in the order of a text where one ranks it.

    Raises KeyError for another kind, TooManyRows, and what the store does.
    """
    write, media_type = KINDS[kind]
    facts = facts_of(store, chosen) | (_ranked_by(ranked) if ranked else {})
    which = hashlib.sha256(f"{facts['slice']} {facts['cohort_version']}".encode()).hexdigest()[:8]
    when = facts["made_utc"][:16].replace("-", "").replace(":", "").replace("T", "-")
    name = f"tailscope_explore_{chosen.cohort}_{chosen.model}_{when}_{which}.{kind}"
    return Export(name, media_type, write(store, chosen, facts, ranked))


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


def _ranked_by(ranked: TextRanking) -> dict[str, str]:
    return {
        "text": ranked.heard.question.text,
        "text_model": ranked.model.model,
        "text_model_sha256": ranked.model.sha256 or "not known",
        "text_margin_is": "cosine to the text's positive prompts minus cosine to its negative ones",
        "text_percentile_is": f"so many percent of the cohort's {ranked.of:,} films with an embedding are less similar",
    }


def _table(store: Store, chosen: Slice, ranked: TextRanking | None) -> pa.Table:
    """The pairs, the worst first; by a text: the most similar first, films without an embedding last."""
    table = store.rows(chosen)
    if ranked is None:
        return table
    rows, without = rows_of_cases(store, chosen.cohort, ranked), len(ranked.films)
    row = np.array([rows.get(case, without) for case in table.column("case").to_pylist()], np.int64)
    for name, values in (("text_margin", ranked.margins), ("text_percentile", ranked.percentiles)):
        table = table.append_column(name, pa.array(np.append(values, np.nan)[row], from_pandas=True))
    return table.take(pa.array(np.argsort(row, kind="stable")))


def _csv(store: Store, chosen: Slice, facts: dict[str, str], ranked: TextRanking | None) -> bytes:
    """The facts repeat in every line, as in every table of this project. No text starts a formula in a spreadsheet."""
    pairs = store.count(chosen).pairs
    if pairs > MOST_CSV:
        raise TooManyRows(
            f"This slice has {pairs:,} pairs", f"A CSV file holds {MOST_CSV:,}. Narrow the slice, or take Parquet."
        )
    table = _table(store, chosen, ranked)
    columns = {name: _plain(table.column(name)) for name in table.column_names}
    columns |= {name: _plain(pa.array([text] * len(table), pa.string())) for name, text in facts.items()}
    written = io.BytesIO()
    pacsv.write_csv(pa.table(columns), written)
    return written.getvalue()


def _plain(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if not (pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)):
        return column
    text = column.cast(pa.string())
    return pc.if_else(pc.match_substring_regex(text, FORMULA), pc.binary_join_element_wise("'", text, ""), text)


def _parquet(store: Store, chosen: Slice, facts: dict[str, str], ranked: TextRanking | None) -> bytes:
    table = _table(store, chosen, ranked)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), METADATA: json.dumps(facts).encode()})
    written = io.BytesIO()
    pq.write_table(table, written, compression="zstd")
    return written.getvalue()


def _sql(store: Store, chosen: Slice, facts: dict[str, str], ranked: TextRanking | None) -> bytes:
    """For DuckDB in the cohort's folder: `duckdb.execute(statement, parameters)`."""
    if ranked:
        facts = {name: fact for name, fact in facts.items() if name not in ("text_margin_is", "text_percentile_is")}
        facts |= {"order": "worst first; ranking by text needs embeddings, which this statement does not read"}
    statement, parameters = store.sql(chosen)
    lines = [f"-- {name}: {' '.join(text.split())}" for name, text in facts.items()]
    lines.append("-- Run it with DuckDB in the cohort's folder; the parameters, in their order:")
    lines.append(f"-- {json.dumps(parameters)}")
    return ("\n".join([*lines, statement]) + "\n").encode()


KINDS: dict[str, tuple[Callable[[Store, Slice, dict[str, str], TextRanking | None], bytes], str]] = {
    "csv": (_csv, "text/csv"),
    "parquet": (_parquet, "application/vnd.apache.parquet"),
    "sql": (_sql, "application/sql"),
}
