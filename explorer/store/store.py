"""Cohorts as prepared tables, and all queries on them.

Values are always bound. Tables are prepared on first use, or when their files change, and shared.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts import layout
from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.cohorts.unlisted import Unlisted
from explorer.core.findings import FrequencyGroup
from explorer.core.metric_plan import Grouping
from explorer.core.uncertainty import Policy
from explorer.runtime.cached import RecentAnswers
from explorer.store.cohort_files import CohortFiles
from explorer.store.cursor import Cursor
from explorer.store.database import Database
from explorer.store.files_written_apart import FilesWrittenApart
from explorer.store.prepared.current_files import CurrentFiles
from explorer.store.prepared.opened import Opened
from explorer.store.prepared.tables import Tables
from explorer.store.queries import counts, gallery, grids
from explorer.store.queries import film_rows as films
from explorer.store.queries import slice_rows as export
from explorer.store.queries.contradictions import contradictions
from explorer.store.queries.grids import CallBits, FilmLabels
from explorer.store.queries.patient_counts import PatientCounts, patient_counts
from explorer.store.results import (
    Called,
    Case,
    CaseLine,
    Column,
    Contradiction,
    Count,
    DamagedFile,
    Facets,
    FilmFacts,
    FindingScore,
    Grid,
    Ranked,
    ScoredAlike,
    StoreError,
    Tally,
    TooManyRows,
)
from explorer.store.slices import Slice
from models.cards.home import tailscope_home

__all__ = ["Ranked", "Store", "StoreError", "TooManyRows"]
MB = 2**20
Answer = TypeVar("Answer")
Leased = TypeVar("Leased")


class Store(CohortFiles):
    """The cohorts below `folders`, and unlisted ones, for queries from many threads. Answers never mix file versions.

    `memory_mb` limits DuckDB, and as much again is for arrays. Queries longer than `timeout_s` are canceled. `prepared`
    is the folder of the prepared files; by default below TAILSCOPE_HOME. Every method raises NoCohort for an unknown
    cohort or model, DamagedCohort for unreadable files, SlowQuestion, or StoreError.
    """

    def __init__(
        self,
        folders: Callable[[], Iterable[Folder]] = layout.cohort_folders,
        *,
        memory_mb: int = 512,
        timeout_s: float = 20,
        prepared: Path | None = None,
    ) -> None:
        place = (prepared or tailscope_home() / "prepared").absolute()
        self._database = Database(memory_mb, timeout_s, place)
        self._counts: RecentAnswers[Count] = RecentAnswers(512)
        self._pages: RecentAnswers[tuple[Ranked, ...]] = RecentAnswers(128)
        self._orders: RecentAnswers[gallery.Films] = RecentAnswers(8)  # 4 bytes per film each
        self._tallies: RecentAnswers[tuple[Tally, ...]] = RecentAnswers(64)
        unlisted = Unlisted(lambda cohort: self._opened.forget(cohort), lambda cohort: self._opened.look(cohort))
        self._files = FilesWrittenApart(place)
        files = CurrentFiles(self._files)
        opened = Opened(folders, self._database, files, memory_mb * MB, unlisted.folders)
        super().__init__(folders, opened, unlisted)

    def close(self) -> None:
        """Cancel running queries and close the tables; later queries are refused."""
        self._opened.close()
        self._files.close()
        self._database.close()

    def facets(self, cohort: str, model: str) -> Facets:
        """Return the values that filters can be chosen from."""
        with self._opened.pairs(cohort, model) as tables:
            return tables.facets

    def groups(self, cohort: str, model: str, source: Grouping) -> dict[str, FrequencyGroup | None]:
        """Return the frequency group of each scored finding; "cohort" counts the known labels of all scored films."""
        with self._opened.pairs(cohort, model) as tables:
            return tables.groups(source)

    def count(self, chosen: Slice) -> Count:
        """Return the number of pairs and films of a slice."""
        return self._kept(self._counts, chosen, (), counts.count)

    def page(self, chosen: Slice, number: int = 0, *, size: int = 24, shuffle: int | None = None) -> tuple[Ranked, ...]:
        """Return a page of the slice's films, each with its worst pair: worst first, or shuffled by a seed."""
        start = number * size

        def worst_first(cursor: Cursor, tables: Tables, chosen: Slice) -> tuple[Ranked, ...]:
            there = self._counts.get(_key(tables, chosen), lambda: counts.count(cursor, tables, chosen))
            return gallery.worst_first(cursor, tables, chosen, there, start, size) if start < there.films else ()

        if shuffle is None:
            return self._kept(self._pages, chosen, (start, size), worst_first)
        order = self._kept(
            self._orders,
            chosen,
            (shuffle,),
            lambda cursor, tables, chosen: gallery.shuffled(cursor, tables, chosen, shuffle),
        )
        return self.these(chosen, order[start : start + size])

    def films(self, chosen: Slice) -> NDArray[np.int32]:
        """Return the numbers (n,) of the slice's films, ascending: ranks by case name."""
        return self._ask(chosen, counts.films)

    def films_meeting(self, chosen: Slice) -> NDArray[np.int32]:
        """Return the numbers (n,) of the cohort's films that meet the slice's film filters, scored or not."""
        return self._ask_films(chosen.cohort, lambda cursor, schema: counts.films_meeting(cursor, schema, chosen))

    def these(self, chosen: Slice, numbers: NDArray[np.int32]) -> tuple[Ranked, ...]:
        """Return films of the slice by number, in this order, each with its worst pair there."""
        return self._ask(chosen, lambda cursor, tables, chosen: gallery.these(cursor, tables, chosen, numbers))

    def tally(self, chosen: Slice) -> tuple[Tally, ...]:
        """Return outcomes by finding and center."""
        return self._kept(self._tallies, chosen, (), counts.tally)

    def patient_counts(self, chosen: Slice) -> dict[str, PatientCounts]:
        """Return outcomes by finding and center, summed over patients for intervals of rates."""
        return self._ask(chosen, patient_counts)

    def column(self, chosen: Slice, finding: str, uncertain: Policy = "ignore") -> Column:
        """Return one finding's pairs in the slice's population; uncertain labels count as `uncertain` says."""
        return self._ask(
            chosen.population(),
            lambda cursor, tables, population: films.column(cursor, tables, population, finding, uncertain),
        )

    def grid(self, cohort: str, model: str, label_source: str | None = None, uncertain: Policy = "ignore") -> Grid:
        """Return labels, scores and calls of all films and findings; labels of one source if given.

        Uncertain labels count as `uncertain` says.
        """
        labels = self.labels(cohort, label_source, uncertain)
        return self._ask(Slice(cohort, model), lambda cursor, tables, chosen: grids.grid(cursor, tables, labels))

    def scores(
        self, cohort: str, model: str, findings: Sequence[str], films: NDArray[np.intp] | None = None
    ) -> NDArray[np.float32]:
        """Return a model's scores (findings, films) of these films, by number, by default of all; NaN: not scored."""
        return self._ask(
            Slice(cohort, model), lambda cursor, tables, chosen: grids.scores(cursor, tables, findings, films)
        )

    def call_bits(self, cohort: str, model: str) -> CallBits:
        """Return which findings a model scored, and called, on every film."""
        return self._ask(Slice(cohort, model), lambda cursor, tables, chosen: grids.call_bits(cursor, tables))

    def labels(self, cohort: str, label_source: str | None = None, uncertain: Policy = "ignore") -> FilmLabels:
        """Return the labels of all films and findings, independent of models; of one source if given.

        Uncertain labels count as `uncertain` says.
        """

        def make(cursor: Cursor, schema: str) -> tuple[FilmLabels, int]:
            found = grids.film_labels(cursor, schema, label_source, uncertain)
            return found, found.nbytes

        with self._opened.array(f"labels, uncertain: {uncertain}", cohort, label_source, make) as found:
            return found

    def film_facts(self, cohort: str) -> FilmFacts:
        """Return center, patient, weight and split of every film, sorted by case name."""
        return self._ask_films(cohort, grids.film_facts)

    def called(self, chosen: Slice, finding: str) -> tuple[Called, ...]:
        """Return what is called present among the misses of a finding, and how often it is called overall."""
        return self._ask(
            chosen.population(), lambda cursor, tables, population: counts.called(cursor, tables, population, finding)
        )

    def scored_alike(self, cohort: str, model: str, scores: Mapping[str, float]) -> dict[str, ScoredAlike]:
        """Return, by finding of `scores`, how many films score as high or as low, and how many of these have it.

        Findings without a known label are left out.
        """
        return self._ask(
            Slice(cohort, model), lambda cursor, tables, chosen: counts.scored_alike(cursor, tables, chosen, scores)
        )

    def case(self, cohort: str, case: str, models: Sequence[str] | None = None) -> Case | None:
        """Return everything about a case, with the scores of these models, by default all; None if it is not there.

        A model whose files cannot be read is left out, in words.
        """
        found = self._ask_films(cohort, lambda cursor, schema: films.case(cursor, schema, case))
        if found is None:
            return None
        scores: list[FindingScore] = []
        left_out: list[str] = []
        for model in self._opened.generation(cohort).names if models is None else models:
            try:
                scores += self.scored(cohort, model, [case])[case].values()
            except (DamagedCohort, NoCohort) as damaged:
                left_out.append(f"Scores of {model} are left out: {damaged.title}.")
        return replace(found, scores=tuple(scores), left_out=tuple(left_out))

    def case_named(self, cohort: str, opaque_id: str) -> str | None:
        """Return the case with this id, see `explorer.cohorts.public_ids`."""
        found = self.film_named(cohort, opaque_id)
        return None if found is None else found[0]

    def film_named(self, cohort: str, opaque_id: str) -> tuple[str, str | None, str | None] | None:
        """Return name, image folder and file of the case with this id."""
        return self._ask_films(cohort, lambda cursor, schema: films.named(cursor, schema, opaque_id))

    def cases(self, cohort: str, names: Sequence[str]) -> tuple[CaseLine, ...]:
        """Return a summary for each name, in order; unknown names are left out."""

        def lines(cursor: Cursor, schema: str) -> tuple[CaseLine, ...]:
            numbers = films.numbers(cursor, schema, names)
            found = films.lines(cursor, schema, list(numbers.values()))
            return tuple(found[numbers[name]] for name in names if name in numbers)

        return self._ask_films(cohort, lines)

    def scored(self, cohort: str, model: str, names: Sequence[str]) -> dict[str, dict[str, FindingScore]]:
        """Return a model's scores of these cases, by case and finding; unknown names are left out."""
        return self._ask(
            Slice(cohort, model), lambda cursor, tables, chosen: films.scored(cursor, tables, model, names)
        )

    def patients(self, cohort: str) -> dict[str, tuple[str | None, str]]:
        """Return patient and center of every case, sorted by case name, the order to which `Column.case` refers."""
        return self._ask_films(cohort, films.patients)

    def contradictions(self, chosen: Slice) -> tuple[Contradiction, ...]:
        """Return contradictory labels of the population's films."""
        return self._ask(chosen.population(), contradictions)

    def rows(self, chosen: Slice) -> pa.Table:
        """Return the pairs of a slice, worst first; raises TooManyRows."""
        return self._ask(chosen, export.rows)

    def sql(self, chosen: Slice) -> tuple[str, list[object]]:
        """Return a DuckDB statement for the same rows, to run in the cohort's folder, with its parameters."""
        with self._opened.pairs(chosen.cohort, chosen.model) as tables:
            return export.statement(tables, chosen, self._opened.folder(chosen.cohort))

    def _tables(self, chosen: Slice) -> AbstractContextManager[Tables]:
        """Lease the tables that the slice needs."""
        against = chosen.against if chosen.relation else None
        tables = self._opened.pairs(chosen.cohort, chosen.model, against, chosen.policy)
        return tables if chosen.lasso is None else self._opened.mapped(tables, chosen.lasso, chosen.cohort)

    def _ask(self, chosen: Slice, query: Callable[[Cursor, Tables, Slice], Answer]) -> Answer:
        """Return the answer of a query on the tables that the slice needs."""
        return self._asked(
            chosen.cohort,
            lambda: self._tables(chosen),
            lambda cursor, tables: query(cursor, tables, chosen),
        )

    def _ask_films(self, cohort: str, query: Callable[[Cursor, str], Answer]) -> Answer:
        """Return the answer of a query on the schema of a cohort's films."""
        return self._asked(cohort, lambda: self._opened.films(cohort), query)

    def _asked(
        self,
        cohort: str,
        lease: Callable[[], AbstractContextManager[Leased]],
        query: Callable[[Cursor, Leased], Answer],
    ) -> Answer:
        """Return the answer of a query; a second time from files made anew, if a prepared file is damaged."""
        try:
            with lease() as leased, self._database.asking() as cursor:
                return query(cursor, leased)
        except DamagedFile:
            self._opened.renew(cohort)
        with lease() as leased, self._database.asking() as cursor:
            return query(cursor, leased)

    def _kept(
        self,
        those: RecentAnswers[Answer],
        chosen: Slice,
        question: tuple[Hashable, ...],
        query: Callable[[Cursor, Tables, Slice], Answer],
    ) -> Answer:
        """Return the answer of a query on tables, which never change, from the cache if possible."""
        with self._tables(chosen) as tables:
            key = _key(tables, chosen, *question)
        return those.get(key, lambda: self._ask(chosen, query))


def _key(tables: Tables, chosen: Slice, *question: Hashable) -> Hashable:
    """Return what an answer is kept by: tables never change, and new ones have new names."""
    return tables.pairs, tables.places, chosen, *question
