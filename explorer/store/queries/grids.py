"""Labels, and a model's scores and calls, as arrays over all films of a cohort."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.uncertainty import Policy
from explorer.store.cursor import Cursor
from explorer.store.prepared.labels import label_number, label_rows
from explorer.store.prepared.pair_tables import CALLS, STATES, WORD
from explorer.store.prepared.tables import Tables
from explorer.store.results import FilmFacts, Grid

_ROWS = 2048  # transposed at once: they fit in the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class FilmLabels:
    """Labels of a cohort's films (films, findings): 1 present, 0 absent, -1 neither."""

    findings: tuple[str, ...]
    labels: NDArray[np.int8]

    @property
    def nbytes(self) -> int:
        return int(self.labels.nbytes)


def film_labels(cursor: Cursor, cohort: str, source: str | None, uncertain: Policy = "ignore") -> FilmLabels:
    """Return the labels of one source if given, otherwise those that count by default.

    Uncertain ones count as `uncertain` says.
    """
    (films,) = cursor.row(f"SELECT count(*) FROM {cohort}.cases")
    (findings,) = cursor.row(f"SELECT enum_range(NULL::{cohort}.finding)::VARCHAR[]")
    demand, parameters = ("whole", []) if source is None else ("source::VARCHAR = ?", [source])
    labels, label = np.full((films, len(findings)), -1, np.int8), label_number("-1", uncertain)
    for batch in cursor.batches(
        f"""SELECT film * {len(findings)}::BIGINT + enum_code(finding) AS pair, ({label})::TINYINT AS label
        FROM ({label_rows(cohort)}) WHERE {demand}""",
        parameters,
    ):
        labels.reshape(-1)[batch["pair"].to_numpy()] = batch["label"].to_numpy()
    return FilmLabels(tuple(findings), labels)


@dataclass(frozen=True, slots=True, eq=False)
class CallBits:
    """Which findings of each film a model scored, called present, and called absent: arrays (words, films) of bits."""

    findings: tuple[str, ...]
    scored: NDArray[np.uint64]
    called: NDArray[np.uint64]
    uncalled: NDArray[np.uint64]

    def of(self, films: NDArray[np.intp]) -> CallBits:
        """Restrict to these films, in this order."""
        return CallBits(self.findings, self.scored[:, films], self.called[:, films], self.uncalled[:, films])

    def calls(self, findings: Sequence[str]) -> NDArray[np.int8]:
        """Return calls (findings, films): 1 present, 0 absent, -1 without a threshold."""
        found = np.empty((len(findings), self.called.shape[1]), np.int8)
        complete = self.called_or_not(findings).all()
        for row, place in enumerate(self._places(findings)):
            called = _bit(self.called, *place)
            found[row] = called if complete else 2 * called + _bit(self.uncalled, *place) - 1
        return found

    def scored_all(self, findings: Sequence[str]) -> NDArray[np.bool_]:
        """Mark the films (n,) that have a score of each of these findings."""
        return self._has_all(self.scored, findings)

    def called_or_not(self, findings: Sequence[str]) -> NDArray[np.bool_]:
        """Mark the films (n,) that have a threshold for each of these findings."""
        return self._has_all(self.called | self.uncalled, findings)

    def scored_any(self, findings: Sequence[str]) -> NDArray[np.bool_]:
        """Mark the films (n,) that have a score of any of these findings."""
        return np.asarray((self.scored & self._mask(findings)).any(axis=0))

    def _has_all(self, bits: NDArray[np.uint64], findings: Sequence[str]) -> NDArray[np.bool_]:
        wanted = self._mask(findings)
        return np.asarray((bits & wanted == wanted).all(axis=0))

    def _mask(self, findings: Sequence[str]) -> NDArray[np.uint64]:
        wanted = np.zeros((len(self.scored), 1), np.uint64)
        for word, bit in self._places(findings):
            wanted[word] |= np.uint64(1 << bit)
        return wanted

    def _places(self, findings: Sequence[str]) -> list[tuple[int, int]]:
        return [divmod(self.findings.index(finding), WORD) for finding in findings]


def _bit(bits: NDArray[np.uint64], word: int, bit: int) -> NDArray[np.int8]:
    """Return one bit of every film (n,)."""
    byte = bits[word].astype("<u8", copy=False).view(np.int8)[bit // 8 :: 8]
    return np.asarray(byte >> np.int8(bit % 8) & np.int8(1))


def call_bits(cursor: Cursor, tables: Tables) -> CallBits:
    """Return which findings a model scored and called on each film."""
    words = range(max(1, -(-len(tables.scored) // WORD)))
    every = [" | ".join(f"mask_{state}_{word}" for state in STATES) for word in words]
    kinds = every, *([f"{kind}_{word}" for word in words] for kind in CALLS)
    columns = [f"{sql} AS c{kind}_{word}" for kind, sqls in enumerate(kinds) for word, sql in enumerate(sqls)]
    stored = f"{tables.model}.masks WHERE source IS NULL"  # in film order
    found = cursor.arrow(f"SELECT {', '.join(columns)} FROM {stored}")
    arrays = (np.stack([found[f"c{kind}_{word}"].to_numpy() for word in words]) for kind in range(len(kinds)))
    return CallBits(tables.scored, *arrays)


def scores(
    cursor: Cursor, tables: Tables, findings: Sequence[str], films: NDArray[np.intp] | None = None
) -> NDArray[np.float32]:
    """Return a model's scores (findings, films), by default of all films; NaN: not scored."""
    places = [tables.scored.index(finding) for finding in findings]
    columns = slice(None) if tuple(findings) == tables.scored else places
    (n,) = cursor.row(f"SELECT count(*) FROM {tables.model}.films")
    found, start = np.empty((len(places), n), np.float32), 0
    for batch in cursor.batches(f"SELECT scores FROM {tables.model}.films"):  # stored in film order
        by_film = batch["scores"].flatten().to_numpy(zero_copy_only=False).reshape(len(batch), -1)
        for some in (by_film[each : each + _ROWS] for each in range(0, len(batch), _ROWS)):
            found[:, start : start + len(some)] = some.T[columns]
            start += len(some)
    if films is None:
        return found
    for row in found:
        row[: len(films)] = row.take(films)
    return found[:, : len(films)]


def grid(cursor: Cursor, tables: Tables, films: FilmLabels) -> Grid:
    """Return labels, scores and calls (films, findings) of a model's findings."""
    n, findings = len(films.labels), len(tables.scored)
    if not findings:
        return Grid((), np.empty((n, 0)), np.empty((n, 0), np.float32), np.empty((n, 0), np.int8))
    score = scores(cursor, tables, tables.scored).T
    label = np.full((findings, n), np.nan).T
    places = {finding: place for place, finding in enumerate(films.findings)}
    for row, finding in enumerate(tables.scored):
        if finding in places:
            said = films.labels[:, places[finding]]
            known = (said >= 0) & ~np.isnan(score[:, row])
            label[known, row] = said[known]
    return Grid(tables.scored, label, score, call_bits(cursor, tables).calls(tables.scored).T)


def film_facts(cursor: Cursor, cohort: str) -> FilmFacts:
    """Return center, patient, weight and split of every film."""
    found = cursor.arrow(
        f"""SELECT center::VARCHAR AS center, patient, coalesce(weight, 1) AS weight, split
        FROM {cohort}.cases ORDER BY film"""
    )
    return FilmFacts(*(found[name].to_numpy() for name in ("center", "patient", "weight", "split")))
