"""Cohorts as tables in memory, and every question that is asked of them.

Every value of a question is bound. Tables are made on first use and shared; new files are seen at the next question.
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
    """Cohorts below `folders`, and those of `unlisted`, asked by many threads at once. An answer is of one version of
    the files.

    `memory_mb` bounds DuckDB; three quarters of it hold tables. A question of more than `timeout_s` is given up.
    Every method raises NoCohort for a cohort or a model that is not there, DamagedCohort for files that cannot be
    read, SlowQuestion, or StoreError.
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
        self._orders: RecentAnswers[gallery.Films] = RecentAnswers(8)  # each of 4 bytes for a film
        self._tallies: RecentAnswers[tuple[Tally, ...]] = RecentAnswers(64)
        unlisted = Unlisted(lambda cohort: self._loaded.forget(cohort))
        loaded = Loaded(folders, self._database.loading, memory_mb * MB * 3 // 4, unlisted.folders)
        super().__init__(folders, loaded, unlisted)

    def close(self) -> None:
        """Break off what is being asked and let go of the tables; questions are refused from then on."""
        self._database.close()

    def facets(self, cohort: str, model: str) -> Facets:
        """What can be chosen."""
        with self._loaded.pairs(cohort, model) as tables:
            return tables.facets

    def groups(self, cohort: str, model: str, source: Grouping) -> dict[str, FrequencyGroup | None]:
        """The frequency group of each scored finding; "cohort" counts the known labels of all its scored films."""
        with self._loaded.pairs(cohort, model) as tables:
            return tables.groups(source)

    def count(self, chosen: Slice) -> Count:
        """Pairs and films of a slice."""
        with self._tables(chosen) as tables:
            return self._kept(self._counts, tables, (chosen,), lambda cursor: counts.count(cursor, tables, chosen))

    def page(self, chosen: Slice, number: int = 0, *, size: int = 24, shuffle: int | None = None) -> tuple[Ranked, ...]:
        """A page of the slice's films, each once by its worst pair: the worst first, or in the order of a seed."""
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
        """The numbers (n,) of the slice's films, ascending: places in the order of the case names."""
        with self._asked(chosen) as (cursor, tables):
            return counts.films(cursor, tables, chosen)

    def films_meeting(self, chosen: Slice) -> NDArray[np.int32]:
        """The numbers (n,) of the cohort's films that meet the slice's filters of films, whoever scored them."""
        with self._loaded.films(chosen.cohort) as schema, self._database.asking() as cursor:
            return counts.films_meeting(cursor, schema, chosen)

    def these(self, chosen: Slice, numbers: NDArray[np.int32]) -> tuple[Ranked, ...]:
        """Films of the slice by number, in this order, each by its worst pair there."""
        with self._asked(chosen) as (cursor, tables):
            return gallery.these(cursor, tables, chosen, numbers)

    def tally(self, chosen: Slice) -> tuple[Tally, ...]:
        """Outcomes by finding and center."""
        with self._tables(chosen) as tables:
            return self._kept(self._tallies, tables, (chosen,), lambda cursor: counts.tally(cursor, tables, chosen))

    def column(self, chosen: Slice, finding: str) -> Column:
        """One finding's pairs in the slice's population."""
        with self._asked(chosen.population()) as (cursor, tables):
            return films.column(cursor, tables, chosen, finding)

    def grid(self, cohort: str, model: str, label_source: str | None = None) -> Grid:
        """Labels, scores and calls of all films and findings; labels of one source alone where it is named."""
        return self._loaded.grid(cohort, model, label_source)

    def labels(self, cohort: str, label_source: str | None = None) -> FilmLabels:
        """The labels of all films and findings, whoever scored them; of one source alone where it is named."""
        return self._loaded.labels(cohort, label_source)

    def film_facts(self, cohort: str) -> FilmFacts:
        """Center, patient, weight and split of every film, in the order of the case names."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return grids.film_facts(cursor, schema)

    def called(self, chosen: Slice, finding: str) -> tuple[Called, ...]:
        """What is called present among the misses of a finding, against how often it is called at all."""
        with self._asked(chosen.population()) as (cursor, tables):
            return counts.called(cursor, tables, chosen, finding)

    def scored_alike(self, cohort: str, model: str, scores: Mapping[str, float]) -> dict[str, ScoredAlike]:
        """By finding of `scores`, how many films score as high or as low, and how many of these have it.

        Findings without a known label are left out.
        """
        with self._asked(Slice(cohort, model)) as (cursor, tables):
            return counts.scored_alike(cursor, tables, Slice(cohort, model), scores)

    def case(self, cohort: str, case: str) -> Case | None:
        """Everything about a case, scored by every model; None where the cohort does not have it."""
        folder = self._loaded.folder(cohort)
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return films.case(cursor, schema, folder, case)

    def case_named(self, cohort: str, opaque_id: str) -> str | None:
        """The case with this id, see `explorer.cohorts.public_ids`."""
        found = self.film_named(cohort, opaque_id)
        return None if found is None else found[0]

    def film_named(self, cohort: str, opaque_id: str) -> tuple[str, str | None, str | None] | None:
        """Name, image folder and file of the case with this id."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return films.named(cursor, schema, opaque_id)

    def cases(self, cohort: str, names: Sequence[str]) -> tuple[CaseLine, ...]:
        """A line for each name, in their order; names that the cohort does not have are left out."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            numbers = films.numbers(cursor, schema, names)
            lines = films.lines(cursor, schema, list(numbers.values()))
            return tuple(lines[numbers[name]] for name in names if name in numbers)

    def scored(self, cohort: str, model: str, names: Sequence[str]) -> dict[str, dict[str, FindingScore]]:
        """What a model says of these cases, by case and finding; names that the cohort does not have are left out."""
        with self._asked(Slice(cohort, model)) as (cursor, tables):
            return films.scored(cursor, tables, model, names)

    def patients(self, cohort: str) -> dict[str, tuple[str | None, str]]:
        """Patient and center of every case, in the order of the case names, which `Column.case` counts."""
        with self._loaded.films(cohort) as schema, self._database.asking() as cursor:
            return films.patients(cursor, schema)

    def contradictions(self, chosen: Slice) -> tuple[Contradiction, ...]:
        """Labels of the population's films that cannot all be true."""
        with self._asked(chosen.population()) as (cursor, tables):
            return contradictions(cursor, tables, chosen)

    def rows(self, chosen: Slice) -> pa.Table:
        """The pairs of a slice, the worst first; raises TooManyRows."""
        with self._asked(chosen) as (cursor, tables):
            return export.rows(cursor, tables, chosen)

    def sql(self, chosen: Slice) -> tuple[str, list[object]]:
        """The same as a statement for DuckDB in the cohort's folder, over its Parquet files, with its parameters."""
        with self._loaded.pairs(chosen.cohort, chosen.model) as tables, self._database.asking() as cursor:
            return export.statement(cursor, tables, chosen, self._loaded.folder(chosen.cohort))

    def _tables(self, chosen: Slice) -> AbstractContextManager[Tables]:
        """The tables that the slice is asked of."""
        tables = self._loaded.pairs(chosen.cohort, chosen.model, chosen.against if chosen.relation else None)
        return tables if chosen.lasso is None else self._loaded.mapped(tables, chosen.lasso, chosen.cohort)

    @contextmanager
    def _asked(self, chosen: Slice) -> Iterator[tuple[Cursor, Tables]]:
        """A cursor and the tables that the slice is asked of."""
        with self._tables(chosen) as tables, self._database.asking() as cursor:
            yield cursor, tables

    def _kept(
        self, those: RecentAnswers[Answer], tables: Tables, question: Hashable, ask: Callable[[Cursor], Answer]
    ) -> Answer:
        """The answer to a question of these tables, which never change: from memory where it was asked lately."""

        def asked() -> Answer:
            with self._database.asking() as cursor:
                return ask(cursor)

        return those.get((tables.pairs, question), asked)
