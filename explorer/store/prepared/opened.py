"""Prepared tables of cohorts and models, opened on first use. A visitor's question reads no file of a cohort.

A cohort's files are noted when it is opened, and a thread of its own looks at them again every second. If any has
changed, the tables in use are prepared anew, and then replace the old ones all at once.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import Protocol, TypeVar

from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.cohorts.listing import check_features, shards_in
from explorer.cohorts.unlisted import is_unlisted, public_name
from explorer.core.map_area import MapArea
from explorer.core.uncertainty import POLICIES, Policy
from explorer.runtime.in_background import InBackground
from explorer.store.cursor import Cursor
from explorer.store.prepared.current_files import Changed, CurrentFiles, of_one_version
from explorer.store.prepared.features import features
from explorer.store.prepared.film_places import load_places, map_of_area
from explorer.store.prepared.film_tables import write_films
from explorer.store.prepared.generation import Generation
from explorer.store.prepared.leases import Leases
from explorer.store.prepared.pair_tables import write_pairs
from explorer.store.prepared.relation import related_pairs
from explorer.store.prepared.signatures import SHARDS, score_files, signature
from explorer.store.prepared.tables import Tables, described
from explorer.store.results import DamagedFile, Features, StoreError

LOOK_SECONDS = 1.0  # between two looks at the files of cohorts in use
IN_USE_SECONDS = 60.0  # since the last question about a cohort
REST = 2.0  # times as long as a cohort took to prepare anew, it is left alone: `score` changes it every minute
PLACE_BYTES = 20  # in memory, measured
TRIES = 5
Item = TypeVar("Item")
log = logging.getLogger(__name__)


class OpensSchemas(Protocol):
    """The part of the database that opens prepared tables, see `explorer.store.database`."""

    def loading(self) -> AbstractContextManager[Cursor]: ...
    def attach(self, file: Path | None) -> str: ...
    def detach(self, schema: str) -> None: ...


class Opened:
    """Leases prepared tables and arrays, each for one version of the files. Arrays take up to `budget` bytes.

    Cohorts in `unlisted` are available to anyone who knows their name; they are prepared in memory.
    """

    def __init__(
        self,
        folders: Callable[[], Iterable[Folder]],
        database: OpensSchemas,
        files: CurrentFiles,
        budget: int,
        unlisted: Callable[[], Iterable[Folder]] = tuple,
    ) -> None:
        self._folders = folders
        self._unlisted = unlisted
        self._database = database
        self._files = files
        self._held = Leases(budget)
        self._lock = threading.Lock()
        self._looking = threading.RLock()  # one look at a time
        self._generations: dict[str, Generation] = {}
        self._closed = threading.Event()
        self._watching = False
        self._background = InBackground()

    def close(self) -> None:
        """Look at no more files."""
        self._closed.set()

    def folder(self, cohort: str, model: str | None = None) -> Folder:
        """Return a cohort's folder; raises NoCohort, also if the model has not scored it."""
        seen = self.generation(cohort)
        if model is not None and model not in seen.names:
            self.look(cohort)  # it may have scored it just now
            seen = self.generation(cohort)
        if model is not None and model not in seen.names:
            scores = f"To score it: `python -m explorer score --cohort {cohort} --model {model}`."
            way = "Read the folder again with it." if is_unlisted(cohort) else scores
            raise NoCohort(f"{model} has not scored {public_name(cohort)}", way)
        return seen.folder

    def generation(self, cohort: str) -> Generation:
        """Return a cohort's files as last seen; raises NoCohort."""
        with self._lock:
            seen = self._generations.get(cohort)
        if seen is None:
            seen = Generation.of(self._found(cohort))
            with self._lock:
                seen = self._generations.setdefault(cohort, seen)
                if not self._watching:
                    self._watching = True
                    watched = (weakref.ref(self), self._closed)
                    threading.Thread(target=_watch, args=watched, name="files of cohorts", daemon=True).start()
        seen.asked = time.monotonic()
        return seen

    def look(self, cohort: str) -> None:
        """Look at a cohort's files now. If they have changed, questions are answered from them when this returns."""
        with self._looking:
            with self._lock:
                old = self._generations.get(cohort)
            if old is None:
                return
            try:
                new = Generation.of(self._found(cohort), {*old.scores, *old.features})
            except NoCohort:
                with self._lock:
                    self._generations.pop(cohort, None)
                return
            if new.same_as(old):
                return
            begun = time.monotonic()
            self._prepare(new)
            now = time.monotonic()
            with self._lock:
                new.asked, new.next_look = old.asked, now + REST * (now - begun)
                self._generations[cohort] = new

    def forget(self, cohort: str) -> None:
        """Close everything of a cohort that no longer exists."""
        with self._lock:
            self._generations.pop(cohort, None)
        self._held.forget(cohort)

    def renew(self, cohort: str) -> None:
        """Prepare a cohort anew at the next question, because a prepared file of it is damaged."""
        log.warning("A prepared file of %s is damaged: it is made anew.", public_name(cohort))
        self._files.forget(self.folder(cohort))
        self._held.forget(cohort)

    def version(self, cohort: str, model: str) -> str:
        """Return a version that changes with any file of the two."""
        self.folder(cohort, model)
        seen = self.generation(cohort)
        return f"{seen.pairs(model)}-{seen.vectors(model)}"

    def preparing(self, cohort: str, model: str, uncertain: Policy = "ignore") -> float | None:
        """Return the share done while the files of a large cohort are written for a model, which this begins.

        None: there is nothing to wait for. Raises what the writing raised.
        """
        self.folder(cohort, model)
        share = self._files.share(self.generation(cohort), model, uncertain)
        if share is None or self._held.holds(("pairs", cohort, model, uncertain)):
            return None

        def prepare() -> None:
            with self.pairs(cohort, model, uncertain=uncertain):
                pass  # they stay open for the next question

        return None if self._background.is_done((cohort, model, uncertain), prepare) else share

    def films(self, cohort: str) -> AbstractContextManager[str]:
        """Lease the schema of a cohort's films."""
        return self._steady(cohort, lambda stack, seen: stack.enter_context(self._films(seen)))

    def pairs(
        self, cohort: str, model: str, against: str | None = None, uncertain: Policy = "ignore"
    ) -> AbstractContextManager[Tables]:
        """Lease the tables of a model's pairs; if `against` is given, those related to that model.

        Uncertain labels count as `uncertain` says: each policy has tables of its own.
        """
        self.folder(cohort, model)
        if against is not None:
            self.folder(cohort, against)

        def enter(stack: ExitStack, seen: Generation) -> Tables:
            tables = stack.enter_context(self._pairs(seen, model, uncertain))
            if against is None:
                return tables
            other = stack.enter_context(self._pairs(seen, against, uncertain))
            return tables.related(related_pairs(tables, other), other)

        return self._steady(cohort, enter)

    @contextmanager
    def mapped(self, tables: AbstractContextManager[Tables], area: MapArea, cohort: str) -> Iterator[Tables]:
        """Yield the tables with the films' positions on the map of an area; raises StoreError without that map."""
        folder = self.folder(cohort, area.model)
        known = map_of_area(folder, area)
        with tables as found:

            def make(undo: ExitStack) -> tuple[str, int]:
                schema = self._attached(undo, None)
                with self._database.loading() as cursor:
                    load_places(cursor, schema, found.cohort, known.map)
                return f"{schema}.places", len(known.map.cases) * PLACE_BYTES

            with self._held.lease(("places", cohort, area.model), f"{found.cohort} {known.version}", make) as places:
                yield found.mapped(places)

    def array(
        self, kind: str, cohort: str, source: str | None, make: Callable[[Cursor, str], tuple[Item, int]]
    ) -> AbstractContextManager[Item]:
        """Lease an array over a cohort's films, made once from their schema; `make` also returns its bytes."""

        def enter(stack: ExitStack, seen: Generation) -> Item:
            def made(undo: ExitStack) -> tuple[Item, int]:
                with self._films(seen) as schema, self._database.loading() as cursor:
                    return make(cursor, schema)

            slot = (kind, cohort, "" if source is None else source)
            return stack.enter_context(self._held.lease(slot, seen.films, made))

        return self._steady(cohort, enter)

    def features(self, cohort: str, model: str) -> Features:
        """Return the features of a model, cached in memory."""
        self.folder(cohort, model)

        def enter(stack: ExitStack, seen: Generation) -> Features:
            folder = seen.folder
            shards = shards_in(folder.embeddings(model))
            version = seen.vectors(model)

            def make(undo: ExitStack) -> tuple[Features, int]:
                with of_one_version(lambda: signature(shards_in(folder.embeddings(model))), version):
                    check_features(folder, model)
                    found = features(folder, model, shards)
                return found, found.vectors.nbytes

            return stack.enter_context(self._held.lease(("features", cohort, model), version, make))

        with self._steady(cohort, enter) as found:
            return found

    def _found(self, cohort: str) -> Folder:
        there = {folder.name: folder for folder in self._folders()}
        found = there.get(cohort) or next((each for each in self._unlisted() if each.name == cohort), None)
        if found is None:
            raise NoCohort(f"There is no cohort {cohort!r}", f"There are: {', '.join(there) or 'none'}.")
        return found

    def _films(self, seen: Generation) -> AbstractContextManager[str]:
        folder = seen.folder

        def make(undo: ExitStack) -> tuple[str, int]:
            def write(cursor: Cursor, schema: str) -> None:
                write_films(cursor, schema, folder)

            return self._attached(undo, self._files.films(seen), write), 0

        return self._held.lease(("films", folder.name), seen.films, make)

    def _pairs(self, seen: Generation, model: str, uncertain: Policy) -> AbstractContextManager[Tables]:
        folder, version = seen.folder, seen.pairs(model)

        def make(undo: ExitStack) -> tuple[Tables, int]:
            cohort = undo.enter_context(self._films(seen))

            def write(cursor: Cursor, schema: str) -> None:
                write_pairs(cursor, schema, cohort, folder, model, score_files(folder, model)[SHARDS], uncertain)

            schema = self._attached(undo, self._files.pairs(seen, model, uncertain), write)
            with self._database.loading() as cursor:
                return described(cursor, cohort, schema, version), 0

        return self._held.lease(("pairs", folder.name, model, uncertain), version, make)

    def _prepare(self, seen: Generation) -> None:
        """Write the files of the models in use, so that no question waits for them. Failures come with the question."""
        with suppress(DamagedCohort, NoCohort, StoreError, OSError, Changed):
            self._files.films(seen)
            for model, uncertain in product(seen.scores, POLICIES):
                if self._held.holds(("pairs", seen.folder.name, model, uncertain)):
                    self._files.pairs(seen, model, uncertain)

    def _attached(self, undo: ExitStack, file: Path | None, load: Callable[[Cursor, str], None] | None = None) -> str:
        """Open a prepared file, or fill a schema in memory; the stack closes it. Raises Changed for a damaged file."""
        try:
            schema = self._database.attach(file)
        except DamagedFile as damaged:
            if file is None:
                raise
            file.unlink(missing_ok=True)
            raise Changed from damaged
        undo.callback(self._database.detach, schema)
        if file is None and load is not None:
            with self._database.loading() as cursor:
                load(cursor, schema)
        return schema

    @contextmanager
    def _steady(self, cohort: str, enter: Callable[[ExitStack, Generation], Item]) -> Iterator[Item]:
        """Yield what `enter` leases, again if files change meanwhile; raises StoreError if they keep changing."""
        for _ in range(TRIES):
            with ExitStack() as stack:
                try:
                    found = enter(stack, self.generation(cohort))
                except Changed:
                    self.look(cohort)
                    continue
                except DamagedFile:
                    self.renew(cohort)
                    continue
                yield found
                return
        raise StoreError("The cohort's files are being written", "Try again in a moment.")

    def look_at_all(self) -> bool:
        """Look at the files of cohorts in use; returns whether there are any."""
        with self._lock:
            unused = time.monotonic() - IN_USE_SECONDS
            self._generations = {name: seen for name, seen in self._generations.items() if seen.asked > unused}
            due = [name for name, seen in self._generations.items() if seen.next_look < time.monotonic()]
            self._watching = bool(self._generations)
        for cohort in due:
            with suppress(StoreError, OSError):
                self.look(cohort)
        return self._watching


def _watch(opened: weakref.ref[Opened], closed: threading.Event) -> None:
    """Look at files while any cohort is in use. Between two looks, a store that nobody holds may go."""
    while not closed.wait(LOOK_SECONDS):
        found = opened()
        if found is None or not found.look_at_all():
            return
        del found
