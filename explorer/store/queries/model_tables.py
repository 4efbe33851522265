"""A model's results on a cohort's films as DuckDB tables: `pairs`, `cuts` and `masks`.

`pairs` has a row for each scored (film, finding) pair. If several sources label it, one row combines them (`whole`),
and each source has its own row. Rows are grouped by finding and outcome, worst first, so that queries need to read only
a few. `masks` stores each film's outcomes, one bit per finding: films and pairs of a slice are counted by film rather
than by pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.schema import LABELS
from explorer.core.outcomes import NO_OUTCOME, outcomes
from explorer.core.worst_first import above_usual, badness, on_wrong_side
from explorer.store.queries.cohort_tables import WORDS, Numbers, enum
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.labels import Labels, labels_of
from explorer.store.queries.scores import FilmCuts, film_cuts, read_cuts, read_scores

WORD = 64  # findings per mask
AT_ONCE = 2**18  # pairs per INSERT
STATES = range(NO_OUTCOME + 1)
_VALUES = np.array([{"present": 1, "absent": 0}.get(label, np.nan) for label in LABELS])


def load_model(
    cursor: Cursor, schema: str, cohort: str, folder: Folder, model: str, shards: Sequence[Path]
) -> tuple[str, ...]:
    """Create a model's tables from these shards in a new schema, next to the cohort's; returns the scored findings.

    Raises DamagedCohort.
    """
    scores = read_scores(folder, model, shards, Numbers(cursor, f"{cohort}.cases"))
    films = FilmColumns.of(cursor, cohort)
    cuts, margins = read_cuts(folder, model), read_model_manifest(folder.model(model)).unit == "margin"
    cursor.execute(f"CREATE SCHEMA {schema}")
    enum(cursor, f"{schema}.finding", scores.findings)
    cursor.execute(
        f"""CREATE TABLE {schema}.cuts AS SELECT unnest(?::USMALLINT[]) AS cut, unnest(?::DOUBLE[]) AS threshold,
            unnest(?::BOOLEAN[]) AS chosen""",
        [[*range(len(cuts))], [cut.threshold for cut in cuts], [cut.chosen for cut in cuts]],
    )
    cursor.execute(_empty_pairs(schema, cohort))
    masks, waiting = _Masks(len(scores.findings), films.n), _Waiting(cursor, f"{schema}.pairs")
    for number, (finding, values) in enumerate(zip(scores.findings, scores.values, strict=True)):
        rows = _Rows.of(
            values, labels_of(cursor, cohort, finding), film_cuts(films.splits, finding, cuts), margins=margins
        )
        masks.add(number, rows)
        waiting.add(rows.table(number, scores.findings, films))
    waiting.insert()
    cursor.load_table(
        f"""CREATE TABLE {schema}.masks AS
        SELECT * FROM stream JOIN (SELECT film, {", ".join(WORDS)} FROM {cohort}.cases) USING (film) ORDER BY film""",
        masks.table(),
    )
    return scores.findings


class _Waiting:
    """Collects rows for `table` finding by finding: for few films, a statement per finding costs more than the rows."""

    def __init__(self, cursor: Cursor, table: str) -> None:
        self._cursor = cursor
        self._table = table
        self._rows: list[pa.Table] = []

    def add(self, rows: pa.Table) -> None:
        self._rows.append(rows)
        if sum(map(len, self._rows)) >= AT_ONCE:
            self.insert()

    def insert(self) -> None:
        """Insert the collected rows."""
        if self._rows:
            self._cursor.load_table(f"INSERT INTO {self._table} SELECT * FROM stream", pa.concat_tables(self._rows))
            self._rows = []


def _empty_pairs(schema: str, cohort: str) -> str:
    films = ", ".join(f"{name} {cohort}.{name}" for name in WORDS)
    return f"""CREATE TABLE {schema}.pairs (film INTEGER, finding {schema}.finding, score FLOAT, cut USMALLINT,
        label {cohort}.label, source {cohort}.source, whole BOOLEAN, outcome {cohort}.outcome, called BOOLEAN,
        badness FLOAT, {films})"""


@dataclass(frozen=True, slots=True, eq=False)
class FilmColumns:
    """Values that all pairs of a film repeat, by film."""

    n: int
    words: dict[str, pa.DictionaryArray]
    splits: pa.DictionaryArray
    sources: pa.Array  # of labels, by code
    outcomes: pa.Array

    @classmethod
    def of(cls, cursor: Cursor, cohort: str) -> FilmColumns:
        found = cursor.arrow(f"SELECT {', '.join(WORDS)}, split FROM {cohort}.cases ORDER BY film").combine_chunks()
        (sources,) = cursor.row(f"SELECT enum_range(NULL::{cohort}.source)")
        (named,) = cursor.row(f"SELECT enum_range(NULL::{cohort}.outcome)")
        splits = pa.array(found["split"].to_pylist(), pa.string()).dictionary_encode()
        words = {name: _one(found[name]) for name in WORDS}
        return cls(len(found), words, splits, pa.array(sources, pa.string()), pa.array(named, pa.string()))


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The pairs of one finding, arrays (rows,); the code of a missing word is beyond the last one."""

    film: NDArray[np.int32]
    score: NDArray[np.float32]
    cut: NDArray[np.int32]
    label: NDArray[np.uint8]
    source: NDArray[np.int32]
    whole: NDArray[np.bool_]
    outcome: NDArray[np.uint8]
    called: NDArray[np.bool_]
    badness: NDArray[np.float32]

    @classmethod
    def of(
        cls,
        scores: NDArray[np.float32],
        labels: Labels,
        cuts: FilmCuts,
        *,
        margins: bool,
    ) -> _Rows:
        scored = np.flatnonzero(~np.isnan(scores)).astype(np.int32)
        labels = labels.on(scored, len(scores))
        film, score, cut = labels.film, scores[labels.film], cuts.number[labels.film]
        threshold, chosen, value = cuts.threshold[film], cuts.chosen[film], _VALUES[labels.label]
        outcome, bad = outcomes(value, score, threshold), badness(value, score, threshold, margins=margins)
        if not chosen.all():
            known = value[labels.whole]
            present, absent = int((known == 1).sum()), int((known == 0).sum())
            usual = above_usual(score[~chosen], scores[scored], present, present + absent)
            bad[~chosen] = on_wrong_side(value[~chosen], usual)
        order = np.argsort(-bad)
        order = order[np.argsort(outcome[order], kind="stable")]
        return cls(
            film[order],
            score[order],
            cut[order],
            labels.label[order],
            labels.source[order],
            labels.whole[order],
            outcome[order],
            (score >= threshold)[order],
            bad[order],
        )

    def table(self, number: int, findings: Sequence[str], films: FilmColumns) -> pa.Table:
        """Return the rows in the columns of `pairs`, for the finding with this number."""
        plain = {
            "film": pa.array(self.film),
            "finding": _words(np.full(len(self.film), number, np.int32), pa.array(findings, pa.string())),
            "score": pa.array(self.score),
            "cut": pa.array(self.cut, mask=self.cut < 0),
            "label": _words(self.label, pa.array(LABELS)),
            "source": _words(self.source, films.sources),
            "whole": pa.array(self.whole),
            "outcome": _words(self.outcome, films.outcomes),
            "called": pa.array(self.called, mask=self.cut < 0),
            "badness": pa.array(self.badness, from_pandas=True),
        }
        return pa.table(plain | {name: _taken(column, self.film) for name, column in films.words.items()})


class _Masks:
    """One bit per finding of a film, for each state: an outcome, or none."""

    def __init__(self, findings: int, films: int) -> None:
        self._bits = np.zeros((len(STATES), max(1, -(-findings // WORD)), films), np.uint64)

    def add(self, number: int, rows: _Rows) -> None:
        """Add the pairs of one finding."""
        word, bit = divmod(number, WORD)
        for state in STATES:
            film = rows.film[(rows.outcome == state) & rows.whole]
            self._bits[state, word, film] |= np.uint64(1 << bit)

    def table(self) -> pa.Table:
        """Return columns `film` and `mask_<state>_<word>`."""
        masks = {
            f"mask_{state}_{word}": bits for state, block in enumerate(self._bits) for word, bits in enumerate(block)
        }
        return pa.table({"film": np.arange(self._bits.shape[2], dtype=np.int32)} | masks)


def _words(codes: NDArray[np.integer], words: pa.Array) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=codes >= len(words)), words)


def _taken(column: pa.DictionaryArray, films: NDArray[np.int32]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(column.indices.to_numpy()[films]), column.dictionary)


def _one(column: pa.ChunkedArray) -> pa.DictionaryArray:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
