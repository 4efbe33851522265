"""The films of a cohort as DuckDB tables: `cases`, `said`, `present`, `none_of_these`, `boxes`, `appearances`.

`said` holds the labels by source. A film is a dense number: its rank by case name. Text columns are ENUMs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.schema import APPEARANCES, BOXES, CASES, LABEL_ROWS, LABELS
from explorer.core.appearance_bands import SIDES
from explorer.core.findings import COMPATIBLE_WITH_NORMAL, Outcome
from explorer.store.cursor import Cursor
from explorer.store.filter_registry import APPEARANCE_FILTERS, FILM_FILTERS
from explorer.store.prepared.labels import load_several
from explorer.store.prepared.parquet_batches import Stream, words
from explorer.store.sql_literals import literal

Progress = Callable[[float], object]  # called with the share done, 0 to 1
WORDS = tuple(each.column for each in FILM_FILTERS)  # text columns of a film
# Columns computed from those of the file and from `findings_present`, the number of findings labeled present.
COMPUTED = "".join(f", {each.sql} AS {each.column}" for each in FILM_FILTERS if each.sql is not None)
# Columns computed from those of the file of appearances.
LOOKS = "".join(f", {each.sql} AS {each.column}" for each in APPEARANCE_FILTERS if each.sql is not None)


def no_progress(share: float) -> None:
    """Tell nobody."""


def write_films(cursor: Cursor, schema: str, folder: Folder, on_progress: Progress = no_progress) -> None:
    """Create the tables of a cohort in an empty schema. Raises DamagedCohort."""
    _read_cases(cursor, schema, folder)
    on_progress(0.1)
    _load_labels(cursor, schema, folder, on_progress)
    _make_cases(cursor, schema, folder)
    _make_by_patient(cursor, schema)
    on_progress(0.9)
    cursor.load(
        f"""CREATE TABLE {schema}.boxes AS
        SELECT film, finding::VARCHAR AS finding, b.x, b.y, b.width, b.height, source::VARCHAR AS source
        FROM stream b JOIN {schema}.cases USING ("case") ORDER BY film""",
        Stream(folder.boxes, BOXES),
    )
    _load_appearances(cursor, schema, folder)
    cursor.execute(f"CREATE TABLE {schema}.facts AS SELECT ?::VARCHAR AS facts", [_facts(cursor, schema)])


@dataclass(frozen=True, slots=True)
class FilmFacets:
    """A cohort's films, counted: `of_films`, `appearances` and `several` as in `Facets`.

    `weighted`: some film has a weight.
    """

    films: int
    of_films: Mapping[str, Mapping[str, int]]
    appearances: Mapping[str, Mapping[str, int]]
    weighted: bool
    several: int


def film_facets(cursor: Cursor, schema: str) -> FilmFacets:
    """Return the counts stored with the tables."""
    return FilmFacets(**json.loads(cursor.row(f"FROM {schema}.facts")[0]))


def _facts(cursor: Cursor, schema: str) -> str:
    def counts(column: str, table: str) -> dict[str, int]:
        return dict(
            cursor.rows(
                f"""SELECT {column}::VARCHAR, count(DISTINCT film) FROM {schema}.{table} WHERE {column} IS NOT NULL
                GROUP BY {column} ORDER BY {column}"""
            )
        )

    films, weighted = cursor.row(f"SELECT count(*), count(weight) > 0 FROM {schema}.cases")
    (several,) = cursor.row(
        f"""SELECT count(*) FROM (
            SELECT center FROM {schema}.cases WHERE study IS NOT NULL
            GROUP BY center, patient, study HAVING count(*) > 1
        )"""
    )
    found = FilmFacets(
        films=films,
        of_films={each.column: counts(each.column, "cases") for each in FILM_FILTERS},
        appearances={each.column: counts(each.column, "appearances") for each in APPEARANCE_FILTERS},
        weighted=weighted,
        several=several,
    )
    return json.dumps(asdict(found))


def counting(default_source: str | None) -> str:
    """Return SQL that tells whether a label counts by default."""
    return "true" if default_source is None else f"source::VARCHAR = {literal(default_source)}"


def enum(cursor: Cursor, name: str, values: Sequence[str]) -> None:
    """Create an ENUM of these words, in this order."""
    cursor.execute(f"CREATE TYPE {name} AS ENUM (SELECT unnest(?::VARCHAR[]))", [list(values)])


class Numbers:
    """Film numbers by case name."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers

    @classmethod
    def in_table(cls, cursor: Cursor, table: str) -> Numbers:
        """Return the numbers that a table gives its films."""
        return cls(dict(cursor.rows(f'SELECT "case", film FROM {table}')))

    def __len__(self) -> int:
        return len(self._numbers)

    def of(self, cases: pa.DictionaryArray) -> NDArray[np.int32]:
        """Return the film of each case; -1 if the cohort does not have it."""
        numbers = [self._numbers.get(name, -1) for name in cases.dictionary.to_pylist()]
        found: NDArray[np.int32] = np.array(numbers, np.int32)[cases.indices.to_numpy()]
        return found


def _read_cases(cursor: Cursor, schema: str, folder: Folder) -> None:
    """Read the file's rows and number the films."""
    cursor.load(
        f"""CREATE TABLE {schema}.read AS
        SELECT (row_number() OVER (ORDER BY "case") - 1)::INTEGER AS film, * FROM stream""",
        Stream(folder.cases, CASES),
    )
    doubled = cursor.row(f'SELECT "case" FROM {schema}.read GROUP BY "case" HAVING count(*) > 1')
    if doubled:
        raise DamagedCohort(
            f"{folder.name} lists the case {doubled[0]!r} twice", "Import it again: a case is one film."
        )


def _make_cases(cursor: Cursor, schema: str, folder: Folder) -> None:
    """Create the table of films with computed columns, including those from labels."""
    marks = ", ".join("?" * len(COMPATIBLE_WITH_NORMAL))
    cursor.execute(
        f"""CREATE TABLE {schema}.counted AS
        WITH known AS (SELECT DISTINCT film FROM {schema}.said WHERE counts AND label IN ('present', 'absent')),
        labeled AS (
            SELECT film, count(finding) FILTER (finding::VARCHAR NOT IN ({marks})) AS findings_present
            FROM known LEFT JOIN {schema}.present USING (film) GROUP BY film
        )
        SELECT *{COMPUTED} FROM {schema}.read LEFT JOIN labeled USING (film)""",
        COMPATIBLE_WITH_NORMAL,
    )
    for name in WORDS:
        found = cursor.rows(f"SELECT DISTINCT {name}::VARCHAR FROM {schema}.counted ORDER BY 1")
        enum(cursor, f"{schema}.{name}", [word for (word,) in found])
    typed = ", ".join(f"{name}::{schema}.{name} AS {name}" for name in WORDS)
    plain = ", ".join(f"{name}::VARCHAR AS {name}" for name in ("split", "root"))
    cursor.execute(
        f"""CREATE TABLE {schema}.cases AS
        SELECT film, "case",
            ('0x' || sha256(? || '/case/' || "case")[:16])::UBIGINT AS id,
            {typed}, age, patient, study, {plain}, file, width, height, weight
        FROM {schema}.counted ORDER BY film""",
        [folder.name],
    )
    for table in ("read", "counted"):
        cursor.execute(f"DROP TABLE {schema}.{table}")


def _make_by_patient(cursor: Cursor, schema: str) -> None:
    """Create the table of films by patient; `unit` is a patient's first film, or without a patient the film."""
    cursor.execute(
        f"""CREATE TABLE {schema}.by_patient AS
        SELECT film, coalesce(first, film) AS unit, center FROM {schema}.cases LEFT JOIN
            (SELECT patient, min(film) AS first FROM {schema}.cases WHERE patient <> '' GROUP BY patient)
            USING (patient) ORDER BY unit, film"""
    )


def check_labels(folder: Folder) -> None:
    """Raise DamagedCohort if a cohort has a label that is none of LABELS."""
    wrong = set(words([folder.labels], LABEL_ROWS.field("label"))) - set(LABELS)
    if wrong:
        raise DamagedCohort(
            f"{folder.name} has the label {min(wrong)!r}", f"A label is one of {', '.join(LABELS)}. Import it again."
        )


def _load_labels(cursor: Cursor, schema: str, folder: Folder, on_progress: Progress) -> None:
    check_labels(folder)
    enum(cursor, f"{schema}.finding", words([folder.labels], LABEL_ROWS.field("finding")))
    enum(cursor, f"{schema}.source", words([folder.labels], LABEL_ROWS.field("source")))
    enum(cursor, f"{schema}.label", LABELS)
    enum(cursor, f"{schema}.outcome", list(Outcome))
    on_progress(0.2)
    numbers = Numbers.in_table(cursor, f"{schema}.read")
    counts = counting(read_manifest(folder.manifest).default_source)
    cursor.load(
        f"""CREATE TABLE {schema}.said AS
        SELECT film, finding::{schema}.finding AS finding, label::{schema}.label AS label,
            source::{schema}.source AS source, {counts} AS counts
        FROM stream WHERE film >= 0 ORDER BY film, finding, source""",
        Stream(folder.labels, LABEL_ROWS, once=("case",), change=lambda batch: _numbered(batch, numbers)),
    )
    on_progress(0.6)
    load_several(cursor, schema)
    on_progress(0.75)
    cursor.execute(
        f"""CREATE TABLE {schema}.present AS
        WITH counted AS (FROM {schema}.said WHERE counts),
        found AS (SELECT DISTINCT film, finding FROM counted WHERE label = 'present')
        SELECT film, finding FROM counted SEMI JOIN found USING (film, finding)
        GROUP BY ALL HAVING NOT bool_or(label = 'absent') ORDER BY ALL"""
    )
    cursor.execute(
        f"""CREATE TABLE {schema}.none_of_these AS
        SELECT film FROM {schema}.said WHERE counts AND label <> 'unknown'
        GROUP BY film HAVING bool_and(label = 'absent') ORDER BY film"""
    )


def _load_appearances(cursor: Cursor, schema: str, folder: Folder) -> None:
    cursor.load(
        f"""CREATE TABLE {schema}.appearances AS
        SELECT film, finding::VARCHAR AS finding, severity, side::VARCHAR AS side, area{LOOKS}
        FROM stream JOIN {schema}.cases USING ("case") ORDER BY film, finding""",
        Stream(folder.appearances, APPEARANCES),
    )
    wrong = cursor.row(
        f"""SELECT finding FROM {schema}.appearances GROUP BY film, finding
        HAVING count(*) > 1 OR NOT bool_and(coalesce(severity BETWEEN 0 AND 1, true)
            AND coalesce(area BETWEEN 0 AND 1, true) AND coalesce(side IN (SELECT unnest(?::VARCHAR[])), true))""",
        [SIDES],
    )
    if wrong:
        raise DamagedCohort(
            f"In {folder.name}, the appearance given for {wrong[0]} is invalid",
            f"Severity and area must be from 0 to 1, a side is {', '.join(SIDES)}, "
            "and each finding of a film has one row.",
        )


def _numbered(batch: pa.RecordBatch, numbers: Numbers) -> pa.RecordBatch:
    cases = batch["case"] if len(batch) else pa.array([], pa.dictionary(pa.int32(), pa.string()))
    columns = {name: batch[name] for name in ("finding", "label", "source")}
    return pa.record_batch({"film": pa.array(numbers.of(cases), pa.int32()), **columns})
