"""A model's results on a cohort's films as DuckDB tables: `pairs`, `cells`, `masks`, `films`, `facts`.

`pairs` has a row for each scored (film, finding) pair, the worst first: a page is the first rows that meet a condition.
If several sources label a pair, one row combines them (`whole`), and each source has its own row. `cells` counts the
pairs of each combination of their words. `masks` stores each film's outcomes, one bit per finding, so that the films of
a slice are counted by film: a row without a source for its whole pairs, and one for each source of labels. `films` has
each film's scores in the order of the findings, and of those without a threshold of their own how far they lie above
the usual score (NULL if there is none): one film, or all films of a model, are read without reading pairs.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.schema import LABELS
from explorer.core.findings import Outcome
from explorer.core.outcomes import NO_OUTCOME, outcomes
from explorer.core.uncertainty import Policy
from explorer.core.worst_first import above_threshold, above_usual, on_wrong_side
from explorer.store.cursor import Cursor
from explorer.store.prepared.film_tables import WORDS, Numbers, Progress, enum, no_progress
from explorer.store.prepared.labels import NOBODY, READ, Labels, labels_by_finding
from explorer.store.prepared.scores import FilmCuts, ScoreThreshold, film_cuts, read_cuts, read_scores

WORD = 64  # findings per mask
FILMS_AT_ONCE = 2**15  # rows per batch of `films`
STATES = range(NO_OUTCOME + 1)
CALLS = ("called", "uncalled")
UNCERTAIN = LABELS.index("uncertain")
_VALUES = np.array([{"present": 1, "absent": 0}.get(label, np.nan) for label in LABELS])
AboveUsual = dict[int, NDArray[np.float32]]  # by finding, how far films (n,) lie above its usual score, or NaN
_PAIR = ("finding", "label", "source", "outcome")  # text columns of a pair, besides those of its film


@dataclass(frozen=True, slots=True)
class PairFacts:
    """What a model's pairs are: their number, the findings in order of theirs, thresholds, and counts of whole pairs.

    `films`, `present` and `known` count the films scored, labeled present, and labeled present or absent, by finding;
    `label_sources` the films with a label of each source, `uncertain` the uncertain labels of each ("": those of whole
    pairs). These counts are of the labels as they are, however uncertain ones are read. `score` is the lowest and the
    highest; None without scores. `all_chosen`: each pair has a threshold that was chosen for its finding. `margins`:
    scores are log odds.
    """

    pairs: int
    findings: tuple[str, ...]
    cuts: tuple[ScoreThreshold, ...]
    films: Mapping[str, int]
    present: Mapping[str, int]
    known: Mapping[str, int]
    label_sources: Mapping[str, int]
    uncertain: Mapping[str, int]
    score: tuple[float, float] | None
    all_chosen: bool
    margins: bool


def pair_facts(cursor: Cursor, schema: str) -> PairFacts:
    """Return the facts stored with the tables."""
    found = json.loads(cursor.row(f"FROM {schema}.facts")[0])
    found["cuts"] = tuple(ScoreThreshold(**cut) for cut in found["cuts"])
    found["findings"] = tuple(found["findings"])
    found["score"] = found["score"] and tuple(found["score"])
    return PairFacts(**found)


def write_pairs(
    cursor: Cursor,
    schema: str,
    cohort: str,
    folder: Folder,
    model: str,
    shards: Sequence[Path],
    uncertain: Policy,
    on_progress: Progress = no_progress,
) -> None:
    """Create a model's tables from these shards in an empty schema; `cohort` is the schema of the cohort's films.

    Uncertain labels become what `uncertain` says, and their pairs get outcomes. `on_progress` gets the share done.
    Raises DamagedCohort.
    """
    scores = read_scores(folder, model, shards, Numbers.in_table(cursor, f"{cohort}.cases"))
    on_progress(0.3)
    films = _FilmColumns.of(cursor, cohort)
    cuts, margins = read_cuts(folder, model), read_model_manifest(folder.model(model)).unit == "margin"
    usual: AboveUsual = {}
    counted = _LabelCounts(films.sources)

    def findings(beside: Cursor) -> Iterator[pa.RecordBatch]:
        labeled = labels_by_finding(beside, cohort, scores.findings, films.n)
        for number, (finding, labels) in enumerate(zip(scores.findings, labeled, strict=True)):
            rows = _Rows.of(
                scores.values[number], labels, film_cuts(films.splits, finding, cuts), uncertain, margins=margins
            )
            counted.add(finding, rows)
            if not rows.chosen.all():
                usual[number] = np.full(films.n, np.nan, np.float32)
                usual[number][rows.film] = np.where(rows.chosen, np.nan, rows.above)
            yield from rows.table(number, scores.findings, films).to_batches()
            on_progress(0.3 + 0.3 * (number + 1) / len(scores.findings))

    kinds = {"finding": scores.findings, "label": LABELS, "source": films.sources, "outcome": list(Outcome)}
    for name, words in kinds.items():
        enum(cursor, f"{schema}.{name}", words)
    for name, column in films.words.items():
        enum(cursor, f"{schema}.{name}", column.dictionary.to_pylist())
    typed = ", ".join(f"{name}::{schema}.{name} AS {name}" for name in (*_PAIR, *WORDS))
    shape = _Rows.none().table(0, scores.findings, films).schema
    with cursor.beside() as beside:  # labels are read while the pairs made of them are written
        cursor.load(
            f"""CREATE TABLE {schema}.pairs AS
            SELECT film, score, cut, whole, called, badness, {typed} FROM stream
            ORDER BY badness DESC NULLS LAST, film, finding, source""",
            pa.RecordBatchReader.from_batches(shape, findings(beside)),
        )
    on_progress(0.8)
    cursor.execute(
        f"""CREATE TABLE {schema}.cells AS
        SELECT finding, label, source, whole, outcome, called, {", ".join(WORDS)}, count(*) AS n
        FROM {schema}.pairs GROUP BY ALL ORDER BY ALL"""
    )
    _write_masks(cursor, schema, cohort, len(scores.findings))
    on_progress(0.9)
    _write_films(cursor, schema, scores.values, usual)
    facts = _facts(cursor, schema, scores.findings, cuts, counted, margins=margins)
    cursor.execute(f"CREATE TABLE {schema}.facts AS SELECT ?::VARCHAR AS facts", [json.dumps(asdict(facts))])


def _write_masks(cursor: Cursor, schema: str, cohort: str, findings: int) -> None:
    """Create `masks`: `mask_<state>_<word>`, `called_<word>` and `uncalled_<word>`, for 64 findings a word.

    Films without scores have a row, too.
    """
    kinds = {f"mask_{state}": f"coalesce(enum_code(outcome), {NO_OUTCOME}) = {state}" for state in STATES}
    kinds |= {"called": "called", "uncalled": "NOT called"}
    words = range(max(1, -(-findings // WORD)))
    bit = f"1::UBIGINT << (enum_code(finding) % {WORD})"
    bits = {
        f"{name}_{word}": f"bit_or({bit}) FILTER ({kind} AND enum_code(finding) // {WORD} = {word})"
        for name, kind in kinds.items()
        for word in words
    }
    columns = ", ".join(f"{those} AS {name}" for name, those in bits.items())
    joined = ", ".join(f"coalesce(bit_or({name}), 0) AS {name}" for name in bits)
    cursor.execute(
        f"""CREATE TABLE {schema}.masks AS
        WITH parts AS (
            SELECT film, source, whole, {columns} FROM {schema}.pairs GROUP BY ALL
            UNION ALL BY NAME SELECT film, true AS whole FROM {cohort}.cases
        ),
        masks AS (
            SELECT film, NULL AS source, {joined} FROM parts WHERE whole GROUP BY film
            UNION ALL SELECT film, source, {joined} FROM parts WHERE source IS NOT NULL GROUP BY film, source
        )
        SELECT masks.*, {", ".join(f"{name}::VARCHAR::{schema}.{name} AS {name}" for name in WORDS)}
        FROM masks JOIN (SELECT film, {", ".join(WORDS)} FROM {cohort}.cases) USING (film)
        ORDER BY source NULLS FIRST, film"""
    )


def _write_films(cursor: Cursor, schema: str, scores: NDArray[np.float32], usual: AboveUsual) -> None:
    findings, n = scores.shape

    def arrays(columns: Sequence[NDArray[np.float32]]) -> pa.Array:
        return pa.FixedSizeListArray.from_arrays(pa.array(np.stack(columns, axis=1).ravel()), findings)

    def above(here: slice, count: int) -> pa.Array:
        nothing = np.full(count, np.nan, np.float32)
        columns = [usual[number][here] if number in usual else nothing for number in range(findings)]
        return arrays(columns) if usual else pa.nulls(count, values)

    def batches() -> Iterator[pa.RecordBatch]:
        for start in range(0, n, FILMS_AT_ONCE):
            here = slice(start, start + FILMS_AT_ONCE)
            film = np.arange(start, min(n, start + FILMS_AT_ONCE), dtype=np.int32)
            yield pa.record_batch([pa.array(film), arrays(list(scores[:, here])), above(here, len(film))], schema=shape)

    values = pa.list_(pa.float32(), findings)
    shape = pa.schema([("film", pa.int32()), ("scores", values), ("above_usual", values)])
    if findings:  # DuckDB has no arrays without elements
        cursor.load(f"CREATE TABLE {schema}.films AS FROM stream", pa.RecordBatchReader.from_batches(shape, batches()))


class _LabelCounts:
    """Counts of labels as they are, by finding and by source."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = sources
        self.by_finding: dict[str, tuple[int, int, int]] = {}  # films, present, known
        self.uncertain: Counter[str] = Counter()

    def add(self, finding: str, rows: _Rows) -> None:
        """Add the pairs of a finding."""
        films = int(rows.whole.sum())
        if films:
            value = _VALUES[rows.said[rows.whole]]
            self.by_finding[finding] = films, int((value == 1).sum()), int((~np.isnan(value)).sum())
        doubted = rows.said == UNCERTAIN
        self.uncertain[""] += int((doubted & rows.whole).sum())
        by_source = np.bincount(rows.source[doubted & (rows.source != NOBODY)], minlength=len(self._sources))
        self.uncertain.update(dict(zip(self._sources, by_source.tolist(), strict=True)))


def _facts(
    cursor: Cursor,
    schema: str,
    findings: tuple[str, ...],
    cuts: tuple[ScoreThreshold, ...],
    labels: _LabelCounts,
    *,
    margins: bool,
) -> PairFacts:
    counted = sorted(labels.by_finding.items())
    used = cursor.rows(f"SELECT DISTINCT cut FROM {schema}.pairs")
    pairs, low, high = cursor.row(f"SELECT count(*), min(score), max(score) FROM {schema}.pairs")
    sources = cursor.rows(
        f"""SELECT source::VARCHAR, count(DISTINCT film) FROM {schema}.pairs WHERE source IS NOT NULL
        GROUP BY 1 ORDER BY 1"""
    )
    return PairFacts(
        pairs=pairs,
        findings=findings,
        cuts=cuts,
        films={finding: films for finding, (films, _, _) in counted},
        present={finding: present for finding, (_, present, _) in counted},
        known={finding: known for finding, (_, _, known) in counted},
        label_sources=dict(sources),
        uncertain={source: n for source, n in sorted(labels.uncertain.items()) if n},
        score=None if low is None else (low, high),
        all_chosen=all(cut is not None and cuts[cut].chosen for (cut,) in used),
        margins=margins,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _FilmColumns:
    """Values that all pairs of a film repeat, by film, and the words of label sources."""

    n: int
    words: dict[str, pa.DictionaryArray]
    splits: pa.DictionaryArray
    sources: list[str]

    @classmethod
    def of(cls, cursor: Cursor, cohort: str) -> _FilmColumns:
        found = cursor.arrow(f"SELECT {', '.join(WORDS)}, split FROM {cohort}.cases ORDER BY film").combine_chunks()
        (sources,) = cursor.row(f"SELECT enum_range(NULL::{cohort}.source)::VARCHAR[]")
        splits = pa.array(found["split"].to_pylist(), pa.string()).dictionary_encode()
        return cls(len(found), {name: _one(found[name]) for name in WORDS}, splits, sources)


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The pairs of one finding, arrays (rows,); the code of a missing word is beyond the last one.

    `said` are the labels as they are, `label` as they are read.
    """

    film: NDArray[np.int32]
    score: NDArray[np.float32]
    cut: NDArray[np.int32]
    said: NDArray[np.uint8]
    label: NDArray[np.uint8]
    source: NDArray[np.int32]
    whole: NDArray[np.bool_]
    outcome: NDArray[np.uint8]
    called: NDArray[np.bool_]
    chosen: NDArray[np.bool_]
    above: NDArray[np.float32]
    badness: NDArray[np.float32]

    @classmethod
    def none(cls) -> _Rows:
        return cls(
            *(np.zeros(0, kind) for kind in ("i4", "f4", "i4", "u1", "u1", "i4", "?", "u1", "?", "?", "f4", "f4"))
        )

    @classmethod
    def of(
        cls,
        scores: NDArray[np.float32],
        labels: Labels,
        cuts: FilmCuts,
        uncertain: Policy,
        *,
        margins: bool,
    ) -> _Rows:
        scored = np.flatnonzero(~np.isnan(scores)).astype(np.int32)
        labels = labels.on(scored, len(scores))
        film, score, cut = labels.film, scores[labels.film], cuts.number[labels.film]
        label = np.where(labels.label == UNCERTAIN, LABELS.index(READ[uncertain]), labels.label).astype(np.uint8)
        threshold, chosen, value = cuts.threshold[film], cuts.chosen[film], _VALUES[label]
        above = above_threshold(score, threshold, margins=margins)
        if not chosen.all():
            known = _VALUES[labels.label[labels.whole]]
            present, absent = int((known == 1).sum()), int((known == 0).sum())
            above[~chosen] = above_usual(score[~chosen], scores[scored], present, present + absent)
        return cls(
            film,
            score,
            cut,
            labels.label,
            label,
            labels.source,
            labels.whole,
            outcomes(value, score, threshold),
            score >= threshold,
            chosen,
            above.astype(np.float32),
            on_wrong_side(value, above),
        )

    def table(self, number: int, findings: Sequence[str], films: _FilmColumns) -> pa.Table:
        """Return the rows in the columns of `pairs`, for the finding with this number."""
        plain = {
            "film": pa.array(self.film),
            "finding": _words(np.full(len(self.film), number, np.int32), findings),
            "score": pa.array(self.score),
            "cut": pa.array(self.cut.astype(np.uint16), mask=self.cut < 0),
            "label": _words(self.label, LABELS),
            "source": _words(self.source, films.sources),
            "whole": pa.array(self.whole),
            "outcome": _words(self.outcome, list(Outcome)),
            "called": pa.array(self.called, mask=self.cut < 0),
            "badness": pa.array(self.badness, from_pandas=True),
        }
        return pa.table(plain | {name: _taken(column, self.film) for name, column in films.words.items()})


def _words(codes: NDArray[np.integer], words: Sequence[str]) -> pa.DictionaryArray:
    known = pa.array(list(words), pa.string())
    return pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=codes >= len(words)), known)


def _taken(column: pa.DictionaryArray, films: NDArray[np.int32]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(column.indices.to_numpy()[films]), column.dictionary)


def _one(column: pa.ChunkedArray) -> pa.DictionaryArray:
    return column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
