"""The cursors of a database: one per query, all canceled when the program ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from explorer.store.results import ClosedStore

PATIENCE = 2.0  # seconds that closing waits for queries to stop
AGAIN = 0.05  # seconds between interrupts, because one that arrives between two statements is lost
IDLE = 5.0  # seconds that the watchdog waits for a query


class Connection(Protocol):
    """The methods of DuckDB's connections."""

    def cursor(self: Opened) -> Opened: ...
    def interrupt(self) -> None: ...
    def close(self) -> None: ...


Opened = TypeVar("Opened", bound=Connection)


class Cursors(Generic[Opened]):
    """Opens cursors, and releases them and the database at the end. Thread-safe."""

    def __init__(self, database: Opened) -> None:
        self._database: Opened | None = database
        self._open: list[Opened] = []
        self._changed = threading.Condition()

    @contextmanager
    def one(self) -> Iterator[Opened]:
        """Yield a cursor for the block. Raises StoreError once the database is closed."""
        with self._changed:
            if self._database is None:
                raise ending()
            cursor = self._database.cursor()
            self._open.append(cursor)
        try:
            yield cursor
        finally:
            with self._changed:
                self._open = [each for each in self._open if each is not cursor]
                cursor.close()
                self._changed.notify_all()

    def close(self) -> None:
        """Cancel all queries and open no more cursors. DuckDB complains about open cursors when Python exits."""
        until = time.monotonic() + PATIENCE
        with self._changed:
            database, self._database = self._database, None
            while self._open and time.monotonic() < until:
                for cursor in self._open:
                    cursor.interrupt()
                self._changed.wait(AGAIN)
        if database is not None:
            database.close()


def ending() -> ClosedStore:
    """Return the refusal of a query during or after shutdown."""
    return ClosedStore("Tailscope is ending", "Start it again to ask.")


@dataclass(eq=False)
class _Watched:
    cursor: Connection
    until: float
    late: threading.Event = field(default_factory=threading.Event)


class Watchdog:
    """Interrupts queries that take too long: one thread for all of them, which ends after an idle time.

    Thread-safe.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._watched: list[_Watched] = []
        self._running = False

    @contextmanager
    def interrupting(self, cursor: Connection, seconds: float) -> Iterator[threading.Event]:
        """Interrupt the cursor if time runs out before the block ends. The event tells whether that happened."""
        watched = _Watched(cursor, time.monotonic() + seconds)
        with self._changed:
            self._watched.append(watched)
            if not self._running:
                self._running = True
                threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
            self._changed.notify_all()
        try:
            yield watched.late
        finally:
            with self._changed:
                self._watched.remove(watched)

    def _watch(self) -> None:
        with self._changed:
            while self._watched or self._changed.wait(IDLE):
                self._changed.wait(self._interrupt_late())
            self._running = False

    def _interrupt_late(self) -> float:
        """Interrupt queries that have run out of time; returns the seconds until the next deadline."""
        now = time.monotonic()
        for each in self._watched:
            if each.until <= now:
                each.late.set()
                each.cursor.interrupt()
        soonest = min((each.until for each in self._watched), default=now)
        return max(soonest - now, AGAIN)
