"""Cohorts as tables in memory, and all queries on them.

Values are always bound. Tables are created on first use and shared; changed files are noticed at the next query.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts import layout
from explorer.cohorts.layout import Folder
from explorer.cohorts.unlisted import Unlisted
from explorer.core.findings import FrequencyGroup
from explorer.core.metric_plan import Grouping
from explorer.runtime.cached import RecentAnswers
from explorer.store.cohort_files import CohortFiles
from explorer.store.database import Database
from explorer.store.queries import counts, gallery, grids
from explorer.store.queries import film_rows as films
from explorer.store.queries import slice_rows as export
from explorer.store.queries.contradictions import contradictions
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.grids import FilmLabels
from explorer.store.queries.loaded import Loaded
from explorer.store.queries.tables import Tables
from explorer.store.results import (
    Called,
    Case,
    CaseLine,
    Column,
    Contradiction,
    Count,
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

__all__ = ["Ranked", "Store", "StoreError", "TooManyRows"]
MB = 2**20
Answer = TypeVar("Answer")


class Store(CohortFiles):
    """The cohorts below `folders`, and unlisted ones, for queries from many threads. Answers never mix file versions.

    `memory_mb` limits DuckDB; three quarters of that is for tables. Queries longer than `timeout_s` are canceled. Every
    method raises NoCohort for an unknown cohort or model, DamagedCohort for unreadable files, SlowQuestion, or
    StoreError.
    """

    def __init__(
        self,
        folders: Callable[[], Iterable[Folder]] = layout.cohort_folders,
        *,
        memory_mb: int = 1024,
        timeout_s: float = 20,
    ) -> None:
        self._database = Database(memory_mb, timeout_s)
        self._counts: RecentAnswers[Count] = RecentAnswers(512)
        self._tops: RecentAnswers[tuple[Ranked, ...]] = RecentAnswers(64)
        self._orders: RecentAnswers[gallery.Films] = RecentAnswers(8)  # 4 bytes per film each
        self._tallies: RecentAnswers[tuple[Tally, ...]] = RecentAnswers(64)
        unlisted = Unlisted(lambda cohort: self._loaded.forget(cohort))
        loaded = Loaded(folders, self._database.loading, memory_mb * MB * 3 // 4, unlisted.folders)
        super().__init__(folders, loaded, unlisted)

    def close(self) -> None:
        """Cancel running queries and release the tables; later queries are refused."""
        self._database.close()

    def facets(self, cohort: str, model: str) -> Facets:
        """Return the values that filters can be chosen from."""
        with self._loaded.pairs(cohort, model) as tables:
            return tables.facets

    def groups(self, cohort: str, model: str, source: Grouping) -> dict[str, FrequencyGroup | None]:
        """Return the frequency group of each scored finding; "cohort" counts the known labels of all scored films."""
        with self._loaded.pairs(cohort, model) as tables:
            return tables.groups(source)

    def count(self, chosen: Slice) -> Count:
        """Return the number of pairs and films of a slice."""
        with self._tables(chosen) as tables:
            return self._kept(self._counts, tables, (chosen,), lambda cursor: counts.count(cursor, tables, chosen))

    def page(self, chosen: Slice, number: int = 0, *, size: int = 24, shuffle: int | None = None) -> tuple[Ranked, ...]:
        """Return a page of the slice's films, each with its worst pair: worst first, or shuffled by a seed."""
        start = number * size
        with self._tables(chosen) as tables:
            if shuffle is None and start + size <= gallery.FEW:
                return self._kept(
                    self._tops,
                    tables,
                    (chosen, start, size),
                    lambda cursor: gallery.top(cursor, tables, chosen, start, size),
                )
            order = self._kept(
                self._orders,
                tables,
                (chosen, shuffle),
                lambda cursor: gallery.order(cursor, tables, chosen, shuffle),
            )
            with self._database.asking() as cursor:
                return gallery.these(cursor, tables, chosen, order[start : start + size])

    def films(self, chosen: Slice) -> NDArray[np.int32]:
        """Return the numbers (n,) of the slice's films, ascending: ranks by case name."""
        with self._asked(chosen) as (cursor, tables):
            return counts.films(cursor, tables, chosen)

    def films_meeting(self, chosen: Slice) -> NDArray[np.int32]:
        """Return the numbers (n,) of the cohort's films that meet the slice's film filters, scored or not."""
        with self._loaded.films(chosen.cohort) as schema, self._database.asking() as cursor:
            return counts.films_meeting(cursor, schema, chosen)

    def these(self, chosen: Slice, numbers: NDArray[np.int32]) -> tuple[Ranked, ...]:
        """Return films of the slice by number, in this order, each with its worst pair there."""
        with self._asked(chosen) as (cursor, tables):
            return gallery.these(cursor, tables, chosen, numbers)

    def tally(self, chosen: Slice) -> tuple[Tally, ...]:
        """Return outcomes by finding and center."""
        with self._tables(chosen) as tables:
            return self._kept(self._tallies, tables, (chosen,), lambda cursor: counts.tally(cursor, tables, chosen))

    def column(self, chosen: Slice, finding: str) -> Column:
        """Return one finding's pairs in the slice's population."""
        with self._asked(chosen.population()) as (cursor, tables):
            return films.column(cursor, tables, chosen, finding)

    def grid(self, cohort: str, model: str, label_source: str | None = None) -> Grid:
        """Return labels, scores and calls of all films and findings; labels of one source if given."""
        return self._loaded.grid(cohort, model, label_source)

    def labels(self, cohort: str, label_source: str | None = None) -> FilmLabels:
        """Return the labels of all films and findings, independent of models; of one source if given."""
        return self._loaded.labels(cohort, label_source)

    def film_facts(self, cohort: str) -> FilmFacts:
        """Return center, patient, weight and split of every film, sorted by case name."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return grids.film_facts(cursor, schema)

    def called(self, chosen: Slice, finding: str) -> tuple[Called, ...]:
        """Return what is called present among the misses of a finding, and how often it is called overall."""
        with self._asked(chosen.population()) as (cursor, tables):
            return counts.called(cursor, tables, chosen, finding)

    def scored_alike(self, cohort: str, model: str, scores: Mapping[str, float]) -> dict[str, ScoredAlike]:
        """Return, by finding of `scores`, how many films score as high or as low, and how many of these have it.

        Findings without a known label are left out.
        """
        with self._asked(Slice(cohort, model)) as (cursor, tables):
            return counts.scored_alike(cursor, tables, Slice(cohort, model), scores)

    def case(self, cohort: str, case: str) -> Case | None:
        """Return everything about a case, with all models' scores; None if the cohort does not have it."""
        folder = self._loaded.folder(cohort)
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return films.case(cursor, schema, folder, case)

    def case_named(self, cohort: str, opaque_id: str) -> str | None:
        """Return the case with this id, see `explorer.cohorts.public_ids`."""
        found = self.film_named(cohort, opaque_id)
        return None if found is None else found[0]

    def film_named(self, cohort: str, opaque_id: str) -> tuple[str, str | None, str | None] | None:
        """Return name, image folder and file of the case with this id."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return films.named(cursor, schema, opaque_id)

    def cases(self, cohort: str, names: Sequence[str]) -> tuple[CaseLine, ...]:
        """Return a summary for each name, in order; unknown names are left out."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            numbers = films.numbers(cursor, schema, names)
            lines = films.lines(cursor, schema, list(numbers.values()))
            return tuple(lines[numbers[name]] for name in names if name in numbers)

    def scored(self, cohort: str, model: str, names: Sequence[str]) -> dict[str, dict[str, FindingScore]]:
        """Return a model's scores of these cases, by case and finding; unknown names are left out."""
        with self._asked(Slice(cohort, model)) as (cursor, tables):
            return films.scored(cursor, tables, model, names)

    def patients(self, cohort: str) -> dict[str, tuple[str | None, str]]:
        """Return patient and center of every case, sorted by case name, the order to which `Column.case` refers."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return films.patients(cursor, schema)

    def contradictions(self, chosen: Slice) -> tuple[Contradiction, ...]:
        """Return contradictory labels of the population's films."""
        with self._asked(chosen.population()) as (cursor, tables):
            return contradictions(cursor, tables, chosen)

    def rows(self, chosen: Slice) -> pa.Table:
        """Return the pairs of a slice, worst first; raises TooManyRows."""
        with self._asked(chosen) as (cursor, tables):
            return export.rows(cursor, tables, chosen)

    def sql(self, chosen: Slice) -> tuple[str, list[object]]:
        """Return a DuckDB statement for the same rows, to run in the cohort's folder, with its parameters."""
        with self._loaded.pairs(chosen.cohort, chosen.model) as tables, self._database.asking() as cursor:
            return export.statement(cursor, tables, chosen, self._loaded.folder(chosen.cohort))

    def _tables(self, chosen: Slice) -> AbstractContextManager[Tables]:
        """Lease the tables that the slice needs."""
        tables = self._loaded.pairs(chosen.cohort, chosen.model, chosen.against if chosen.relation else None)
        return tables if chosen.lasso is None else self._loaded.mapped(tables, chosen.lasso, chosen.cohort)

    @contextmanager
    def _asked(self, chosen: Slice) -> Iterator[tuple[Cursor, Tables]]:
        """Yield a cursor and the tables that the slice needs."""
        with self._tables(chosen) as tables, self._database.asking() as cursor:
            yield cursor, tables

    def _kept(
        self, those: RecentAnswers[Answer], tables: Tables, question: Hashable, ask: Callable[[Cursor], Answer]
    ) -> Answer:
        """Return the answer to a query on these tables, which never change, from the cache if possible."""

        def asked() -> Answer:
            with self._database.asking() as cursor:
                return ask(cursor)

        return those.get((tables.pairs, question), asked)
