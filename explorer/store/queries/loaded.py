"""Tables of cohorts and models, loaded on first use and reloaded when their files change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.cohorts.listing import check_cohort, check_features, check_scores, shards_in
from explorer.cohorts.unlisted import is_unlisted, public_name
from explorer.core.map_area import MapArea
from explorer.store.queries.cohort_tables import load_cohort
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.features import features
from explorer.store.queries.files import SHARDS, own_files, score_files, signature
from explorer.store.queries.film_places import load_places, map_of_area
from explorer.store.queries.grids import FilmLabels, film_labels, grid
from explorer.store.queries.leases import Leases
from explorer.store.queries.model_tables import load_model
from explorer.store.queries.related_tables import load_related
from explorer.store.queries.tables import Tables, described
from explorer.store.results import ClosedStore, Features, Grid, StoreError

PAIR_BYTES, FILM_BYTES, PLACE_BYTES = 24, 512, 20  # in memory, measured
TRIES = 5
Item = TypeVar("Item")


class _Changed(Exception):
    """Files changed while they were being read."""


class Loaded:
    """Leases tables, each for one version of the files. `cursor` opens a cursor for loading.

    Cohorts in `unlisted` are available to anyone who knows their name.
    """

    def __init__(
        self,
        folders: Callable[[], Iterable[Folder]],
        cursor: Callable[[], AbstractContextManager[Cursor]],
        budget: int,
        unlisted: Callable[[], Iterable[Folder]] = tuple,
    ) -> None:
        self._folders = folders
        self._unlisted = unlisted
        self._cursor = cursor
        self._held = Leases(budget)
        self._numbers = itertools.count()

    def folder(self, cohort: str, model: str | None = None) -> Folder:
        """Return a cohort's folder; raises NoCohort, also if the model has not scored it."""
        there = {folder.name: folder for folder in self._folders()}
        found = there.get(cohort) or next((each for each in self._unlisted() if each.name == cohort), None)
        if found is None:
            raise NoCohort(f"There is no cohort {cohort!r}", f"There are: {', '.join(there) or 'none'}.")
        if model is not None and model not in found.models():
            scores = f"To score it: `python -m explorer score --cohort {cohort} --model {model}`."
            way = "Read the folder again with it." if is_unlisted(cohort) else scores
            raise NoCohort(f"{model} has not scored {public_name(cohort)}", way)
        return found

    def forget(self, cohort: str) -> None:
        """Release all tables of a cohort that no longer exists."""
        self._held.forget(cohort)

    def version(self, cohort: str, model: str) -> str:
        """Return a version that changes with any file of the two."""
        folder = self.folder(cohort, model)
        paths = [*own_files(folder), *score_files(folder, model), *shards_in(folder.embeddings(model))]
        return signature(paths)

    def films(self, cohort: str) -> AbstractContextManager[str]:
        """Lease the schema of a cohort's films."""
        folder = self.folder(cohort)
        return _steady(lambda stack: stack.enter_context(self._films(folder, signature(own_files(folder)))))

    def pairs(self, cohort: str, model: str, against: str | None = None) -> AbstractContextManager[Tables]:
        """Lease the tables of a model's pairs; if `against` is given, those related to that model."""
        folder = self.folder(cohort, model)
        if against is not None:
            self.folder(cohort, against)

        def enter(stack: ExitStack) -> Tables:
            films = signature(own_files(folder))
            tables = stack.enter_context(self._pairs(folder, model, films))
            if against is None:
                return tables
            return stack.enter_context(self._related(tables, folder, against))

        return _steady(enter)

    def grid(self, cohort: str, model: str, label_source: str | None) -> Grid:
        """Return labels, scores and calls of all films and findings; labels of one source if given."""
        folder = self.folder(cohort, model)

        def enter(stack: ExitStack) -> Grid:
            films = stack.enter_context(self._labels(folder, label_source, signature(own_files(folder))))
            paths = score_files(folder, model)
            with _of_one_version(paths, signature(paths)):
                check_scores(folder, model)
                return grid(folder, model, paths[SHARDS], films)

        with _steady(enter) as found:
            return found

    def labels(self, cohort: str, label_source: str | None) -> FilmLabels:
        """Return the labels of all films and findings, independent of models; treat them as read-only."""
        folder = self.folder(cohort)
        with _steady(
            lambda stack: stack.enter_context(self._labels(folder, label_source, signature(own_files(folder))))
        ) as found:
            return found

    @contextmanager
    def mapped(self, tables: AbstractContextManager[Tables], area: MapArea, cohort: str) -> Iterator[Tables]:
        """Yield the tables with the films' positions on the map of an area; raises StoreError without that map."""
        folder = self.folder(cohort, area.model)
        known = map_of_area(folder, area)
        with tables as found:

            def make(undo: ExitStack) -> tuple[str, int]:
                schema = self._schema(undo)
                with self._cursor() as cursor:
                    load_places(cursor, schema, found.cohort, known.map)
                return f"{schema}.places", len(known.map.cases) * PLACE_BYTES

            with self._held.lease(("places", cohort, area.model), f"{found.cohort} {known.version}", make) as places:
                yield found.mapped(places)

    def features(self, cohort: str, model: str) -> Features:
        """Return the features of a model, cached in memory."""
        folder = self.folder(cohort, model)

        def enter(stack: ExitStack) -> Features:
            shards = shards_in(folder.embeddings(model))
            paths = [*score_files(folder, model)[: SHARDS.start], *shards]
            version = signature(paths)

            def make(undo: ExitStack) -> tuple[Features, int]:
                with _of_one_version(paths, version):
                    check_features(folder, model)
                    found = features(folder, model, shards)
                return found, found.vectors.nbytes

            return stack.enter_context(self._held.lease(("features", cohort, model), version, make))

        with _steady(enter) as found:
            return found

    def _films(self, folder: Folder, version: str) -> AbstractContextManager[str]:
        def make(undo: ExitStack) -> tuple[str, int]:
            with _of_one_version(own_files(folder), version), self._cursor() as cursor:
                check_cohort(folder)
                schema = self._schema(undo)
                load_cohort(cursor, schema, folder)
                (n,) = cursor.row(f"SELECT count(*) FROM {schema}.cases")
            return schema, n * FILM_BYTES

        return self._held.lease(("films", folder.name), version, make)

    def _labels(self, folder: Folder, source: str | None, version: str) -> AbstractContextManager[FilmLabels]:
        def make(undo: ExitStack) -> tuple[FilmLabels, int]:
            with self._films(folder, version) as schema, self._cursor() as cursor:
                found = film_labels(cursor, schema, source)
            return found, found.nbytes

        return self._held.lease(("labels", folder.name, "" if source is None else source), version, make)

    def _pairs(self, folder: Folder, model: str, films: str) -> AbstractContextManager[Tables]:
        """Lease a model's pairs; `films` is the version of the cohort's own files."""
        paths = score_files(folder, model)
        version = signature(paths)

        def make(undo: ExitStack) -> tuple[Tables, int]:
            cohort = undo.enter_context(self._films(folder, films))
            with _of_one_version(paths, version), self._cursor() as cursor:
                check_scores(folder, model)
                schema = self._schema(undo)
                scored = load_model(cursor, schema, cohort, folder, model, paths[SHARDS])
                tables = described(cursor, cohort, schema, scored, f"{films}-{version}")
            return tables, sum(tables.facets.findings.values()) * PAIR_BYTES

        return self._held.lease(("pairs", folder.name, model), f"{films}-{version}", make)

    def _related(self, one: Tables, folder: Folder, other: str) -> AbstractContextManager[Tables]:
        paths = score_files(folder, other)
        version = signature(paths)

        def make(undo: ExitStack) -> tuple[Tables, int]:
            with _of_one_version(paths, version), self._cursor() as cursor:
                check_scores(folder, other)
                schema = self._schema(undo)
                load_related(cursor, schema, one, folder, other, paths[SHARDS])
                (n,) = cursor.row(f"SELECT count(*) FROM {schema}.pairs")
            return one.related(f"{schema}.pairs"), n * PAIR_BYTES

        return self._held.lease(("related", one.model, other), version, make)

    def _schema(self, undo: ExitStack) -> str:
        """Return a new schema name; the schema is dropped when the stack unwinds."""
        name = f"tailscope.s{next(self._numbers)}"

        def drop() -> None:
            with suppress(ClosedStore), self._cursor() as cursor:  # a closed database has already freed everything
                cursor.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")

        undo.callback(drop)
        return name


@contextmanager
def _steady(enter: Callable[[ExitStack], Item]) -> Iterator[Item]:
    """Yield what `enter` leases, retrying if files change in the meantime; raises StoreError if they keep changing."""
    for _ in range(TRIES):
        with ExitStack() as stack:
            try:
                found = enter(stack)
            except _Changed:
                continue
            yield found
            return
    raise StoreError("The cohort's files are being written", "Try again in a moment.")


@contextmanager
def _of_one_version(paths: Iterable[Path], version: str) -> Iterator[None]:
    """Raise _Changed if the files change during the block, even if the change made them look damaged."""
    try:
        yield
    except (DamagedCohort, NoCohort):
        if signature(paths) == version:
            raise
    if signature(paths) != version:
        raise _Changed
