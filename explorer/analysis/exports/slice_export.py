"""Exports a slice as CSV, Parquet or an SQL statement, each with its provenance.

Provenance is stored once: as JSON next to the CSV in one ZIP, in the schema of a Parquet file, in the comments of a
statement. Excel, and pandas and R by default, read a comment above a CSV header as a row; one column per fact would
make up three quarters of the file.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from explorer.analysis.cases.text_ranking import TextRanking, ranked_rows
from explorer.cohorts.counted import CASES, Counted, counted_by
from explorer.cohorts.unlisted import public_name
from explorer.core.csv_safe import FORMULA
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.version import version
from explorer.store.results import TooManyRows
from explorer.store.slices import Slice, sentence
from explorer.store.sql_literals import filled

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_CSV_ROWS = 500_000  # rows: about 75 MB unpacked, half of Excel's limit
PARQUET_METADATA_KEY = b"tailscope"  # the key of the provenance JSON in a Parquet schema


@dataclass(frozen=True, slots=True)
class Export:
    """A file to download; its name reveals no more than the slice's sentence."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class _About:
    """A file's name without extension, and its provenance."""

    name: str
    facts: Mapping[str, str]


def export_slice(store: Store, chosen: Slice, kind: str, ranked: TextRanking | None = None) -> Export:
    """Export the slice as one of EXPORT_KINDS, in the order of `ranked` if given.

    Raises KeyError for another kind, TooManyRows, and the store's errors.
    """
    write, ending, media_type = EXPORT_KINDS[kind]
    facts = slice_provenance(store, chosen) | (_ranked_by(ranked, store.counted(chosen.cohort)) if ranked else {})
    which = hashlib.sha256(f"{facts['slice']} {facts['cohort_version']}".encode()).hexdigest()[:8]
    when = facts["made_utc"][:16].replace("-", "").replace(":", "").replace("T", "-")
    name = f"tailscope_explore_{public_name(chosen.cohort)}_{chosen.model}_{when}_{which}"
    return Export(f"{name}.{ending}", media_type, write(store, chosen, _About(name, facts), ranked))


def slice_provenance(store: Store, chosen: Slice) -> dict[str, str]:
    """Return the provenance that is needed to reproduce the slice's counts."""
    cohort = store.cohort(chosen.cohort)
    model = store.model(chosen.cohort, chosen.model)
    return {
        "slice": sentence(chosen, model.unit, counted_by(cohort)),
        "counted": CASES[counted_by(cohort)].lower(),
        "use": NOT_FOR_MEDICAL_USE,
        "films": "SIMULATED" if cohort.simulated else "real",
        "cohort": public_name(cohort.name),
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


def _ranked_by(ranked: TextRanking, counted: Counted) -> dict[str, str]:
    cases = CASES[counted].lower()
    return {
        "text": ranked.analysis.question.text,
        "text_model": ranked.model.model,
        "text_model_sha256": ranked.model.sha256 or "not known",
        "text_margin_is": "cosine to the text's positive prompts minus cosine to its negative ones",
        "text_percentile_is": f"percentage of less similar {cases} among {ranked.embedded:,} {cases} with an embedding",
    }


def _table(store: Store, chosen: Slice, ranked: TextRanking | None) -> pa.Table:
    """Return the (film, finding) pairs, worst first; if ranked by text, most similar first, unembedded films last."""
    table = store.rows(chosen)
    if ranked is None:
        return table
    rows, without = ranked_rows(store, chosen.cohort, ranked), len(ranked.films)
    row = np.array([rows.get(case, without) for case in table.column("case").to_pylist()], np.int64)
    for name, values in (("text_margin", ranked.margins), ("text_percentile", ranked.percentiles)):
        table = table.append_column(name, pa.array(np.append(values, np.nan)[row], from_pandas=True))
    return table.take(pa.array(np.argsort(row, kind="stable")))


def _csv(store: Store, chosen: Slice, about: _About, ranked: TextRanking | None) -> bytes:
    """Return a ZIP of rows and provenance. No text starts a formula in a spreadsheet."""
    pairs = store.count(chosen).pairs
    if pairs > MAX_CSV_ROWS:
        raise TooManyRows(
            f"This slice has {pairs:,} pairs",
            f"CSV is limited to {MAX_CSV_ROWS:,}. Narrow the slice, or choose Parquet.",
        )
    table = _table(store, chosen, ranked)
    rows = io.BytesIO()
    pacsv.write_csv(pa.table({name: _plain(table.column(name)) for name in table.column_names}), rows)
    return zipped(
        {
            f"{about.name}.csv": rows.getvalue(),
            f"{about.name}.json": json.dumps(about.facts, indent=2, ensure_ascii=False).encode(),
        }
    )


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Pack files, given by name, into one ZIP; the same files give the same bytes."""
    written = io.BytesIO()
    with ZipFile(written, "w") as archive:
        for name, data in files.items():
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return written.getvalue()


def _plain(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    if not (pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)):
        return column
    text = column.cast(pa.string())
    return pc.if_else(pc.match_substring_regex(text, FORMULA), pc.binary_join_element_wise("'", text, ""), text)


def _parquet(store: Store, chosen: Slice, about: _About, ranked: TextRanking | None) -> bytes:
    table = _table(store, chosen, ranked)
    facts = json.dumps(about.facts).encode()
    written = io.BytesIO()
    pq.write_table(
        table.replace_schema_metadata({**(table.schema.metadata or {}), PARQUET_METADATA_KEY: facts}),
        written,
        compression="zstd",
    )
    return written.getvalue()


def _sql(store: Store, chosen: Slice, about: _About, ranked: TextRanking | None) -> bytes:
    """Return a self-contained statement: run `duckdb.sql(open("slice.sql").read())` in the cohort's folder."""
    facts = about.facts
    if ranked:
        facts = {name: fact for name, fact in facts.items() if name not in ("text_margin_is", "text_percentile_is")}
        facts |= {"order": "worst first; ranking by text needs embeddings, which this statement does not read"}
    lines = [f"-- {name}: {' '.join(text.split())}" for name, text in facts.items()]
    lines.append(f'-- In the folder of {public_name(chosen.cohort)}: duckdb.sql(open("{about.name}.sql").read())')
    return ("\n".join([*lines, filled(*store.sql(chosen))]) + "\n").encode()


# writer, file extension and media type of each kind
EXPORT_KINDS: dict[str, tuple[Callable[[Store, Slice, _About, TextRanking | None], bytes], str, str]] = {
    "csv": (_csv, "zip", "application/zip"),
    "parquet": (_parquet, "parquet", "application/vnd.apache.parquet"),
    "sql": (_sql, "sql", "application/sql"),
}
