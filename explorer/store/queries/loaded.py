"""Tables of cohorts and models, loaded when they are first asked for and again when their files have changed."""

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

PAIR_BYTES, FILM_BYTES, PLACE_BYTES = 24, 512, 20  # in memory, as measured
TRIES = 5
Item = TypeVar("Item")


class _Changed(Exception):
    """Files became others while they were read."""


class Loaded:
    """Leases of tables, of one version of the files each. `cursor` opens one for loading.

    Cohorts of `unlisted` are there for whoever names them.
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
        """Where a cohort is; raises NoCohort, also where the model has not scored it."""
        there = {folder.name: folder for folder in self._folders()}
        found = there.get(cohort) or next((each for each in self._unlisted() if each.name == cohort), None)
        if found is None:
            raise NoCohort(f"There is no cohort {cohort!r}", f"There are: {', '.join(there) or 'none'}.")
        if model is not None and model not in found.models():
            scores = f"`python -m explorer score --cohort {cohort} --model {model}` does."
            way = "Read the folder again by it." if is_unlisted(cohort) else scores
            raise NoCohort(f"{model} has not scored {public_name(cohort)}", way)
        return found

    def forget(self, cohort: str) -> None:
        """Let go of everything of a cohort that is there no more."""
        self._held.forget(cohort)

    def version(self, cohort: str, model: str) -> str:
        """Changes when any file of the two changes."""
        folder = self.folder(cohort, model)
        paths = [*own_files(folder), *score_files(folder, model), *shards_in(folder.embeddings(model))]
        return signature(paths)

    def films(self, cohort: str) -> AbstractContextManager[str]:
        """The schema of a cohort's films."""
        folder = self.folder(cohort)
        return _steady(lambda stack: stack.enter_context(self._films(folder, signature(own_files(folder)))))

    def pairs(self, cohort: str, model: str, against: str | None = None) -> AbstractContextManager[Tables]:
        """The tables of a model's pairs, where `against` is given those that have to do with that model."""
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
        """Labels, scores and calls of all films and findings; labels of one source alone where it is named."""
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
        """The labels of all films and findings, whoever scored them; do not write to them."""
        folder = self.folder(cohort)
        with _steady(
            lambda stack: stack.enter_context(self._labels(folder, label_source, signature(own_files(folder))))
        ) as found:
            return found

    @contextmanager
    def mapped(self, tables: AbstractContextManager[Tables], area: MapArea, cohort: str) -> Iterator[Tables]:
        """The tables with where the films lie on the map that an area is of; raises StoreError without that map."""
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
        """The features of a model, from memory where they are there."""
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
        """`films` is the version of the cohort's own files."""
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
        """A new name; what has it goes when the stack is undone."""
        name = f"tailscope.s{next(self._numbers)}"

        def drop() -> None:
            with suppress(ClosedStore), self._cursor() as cursor:  # a closed database has let go of everything
                cursor.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")

        undo.callback(drop)
        return name


@contextmanager
def _steady(enter: Callable[[ExitStack], Item]) -> Iterator[Item]:
    """What `enter` leases, once more when files change meanwhile; raises StoreError when they do not stop."""
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
    """Reading files: raises _Changed where they become others meanwhile, also where that made them look damaged."""
    try:
        yield
    except (DamagedCohort, NoCohort):
        if signature(paths) == version:
            raise
    if signature(paths) != version:
        raise _Changed
