"""Holds visitors' films in memory for a limited time, each under a random token."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

MINUTE_S = 60.0
PRESENT_S = 3 * MINUTE_S  # seconds after a visitor's last sign of life; open pages send one every minute
MAX_REMEMBERED_TOKENS = 4096  # tokens of removed items
StoredValue = TypeVar("StoredValue")
# Why an item was removed: its time was up, others needed the memory, or its visitor opened too many.
RemovalReason = Literal["time", "room", "own"]


@dataclass(slots=True)
class _StoredItem(Generic[StoredValue]):
    item: StoredValue
    visitor: str
    nbytes: int
    since: float
    last_used: float  # time of last use


class Shelf(Generic[StoredValue]):
    """Holds visitors' items until they leave or `lifetime` seconds have passed. Thread-safe.

    A visitor may have `each` items of `each_bytes` in total; a new item displaces the oldest. All items together may
    have `max_bytes`; beyond that, the least recently used items are removed, those of absent visitors first. The reason
    for a removal is remembered for a while. Nothing is written to disk, and an item is reachable only by its token.
    """

    def __init__(
        self,
        *,
        each: int = 3,
        each_bytes: int = 512 << 20,
        max_bytes: int = 2 << 30,
        lifetime: float = 30 * MINUTE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._each = each
        self._each_bytes = each_bytes
        self._max_bytes = max_bytes
        self._lifetime = lifetime
        self._clock = clock
        self._lock = threading.Lock()
        self._items: dict[str, _StoredItem[StoredValue]] = {}  # oldest first
        self._present: dict[str, float] = {}  # last sign of life of each visitor who has items
        self._gone: OrderedDict[str, RemovalReason] = OrderedDict()

    def __len__(self) -> int:
        with self._lock:
            return len(self._items)

    def put(self, item: StoredValue, *, visitor: str, nbytes: int) -> str:
        """Store an item and return its token."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            now = self._clock()
            self._items[token] = _StoredItem(item, visitor, nbytes, now, now)
            self._present[visitor] = now
            self._make_room(token)
        return token

    def get(self, token: str) -> StoredValue | None:
        """Return the item, or None if it has been removed. Access does not extend its lifetime."""
        with self._lock:
            self._drop_expired()
            stored = self._items.get(token)
            if stored is None:
                return None
            stored.last_used = self._present[stored.visitor] = self._clock()
            return stored.item

    def mark_present(self, tokens: Iterable[str]) -> None:
        """Record a sign of life from the visitors who have these items open."""
        with self._lock:
            for token in tokens:
                if token in self._items:
                    self._present[self._items[token].visitor] = self._clock()

    def why_gone(self, token: str) -> RemovalReason | None:
        """Return why an item was removed; None if it exists, its visitor dropped it, or the reason was forgotten."""
        with self._lock:
            self._drop_expired()
            return self._gone.get(token)

    def replace(self, token: str, old: StoredValue, new: StoredValue) -> None:
        """Replace `old` by `new` if it is still stored, keeping its remaining lifetime."""
        with self._lock:
            if token in self._items and self._items[token].item is old:
                self._items[token].item = new

    def drop_visitor(self, visitor: str) -> None:
        """Remove all items of a visitor."""
        with self._lock:
            for token in self._tokens_of(visitor):
                self._remove(token, None)

    def drop(self, token: str) -> None:
        """Remove one item."""
        with self._lock:
            if token in self._items:
                self._remove(token, None)

    def sweep(self) -> None:
        """Remove expired items."""
        with self._lock:
            self._drop_expired()

    def sweep_forever(self, every: float = MINUTE_S) -> None:
        """Sweep periodically, so that films expire even without requests. Runs in a daemon thread."""
        while True:
            time.sleep(every)
            self.sweep()

    def _drop_expired(self) -> None:
        now = self._clock()
        for token in [token for token, stored in self._items.items() if now - stored.since >= self._lifetime]:
            self._remove(token, "time")

    def _make_room(self, newest: str) -> None:
        """Remove items to make room, but never the newest, for which its visitor is waiting."""
        mine = self._tokens_of(self._items[newest].visitor)
        while len(mine) > 1 and (len(mine) > self._each or self._bytes_of(mine) > self._each_bytes):
            self._remove(mine.pop(0), "own")
        while len(self._items) > 1 and self._bytes_of(self._items) > self._max_bytes:
            others = [token for token in self._items if token != newest]
            self._remove(min(others, key=self._priority), "room")

    def _priority(self, token: str) -> tuple[bool, float]:
        """Return an item's priority; the lowest is removed first."""
        stored = self._items[token]
        return self._clock() - self._present[stored.visitor] < PRESENT_S, stored.last_used

    def _remove(self, token: str, why: RemovalReason | None) -> None:
        visitor = self._items.pop(token).visitor
        if not self._tokens_of(visitor):
            self._present.pop(visitor, None)
        if why is not None:
            self._gone[token] = why
            while len(self._gone) > MAX_REMEMBERED_TOKENS:
                self._gone.popitem(last=False)

    def _tokens_of(self, visitor: str) -> list[str]:
        return [token for token, stored in self._items.items() if stored.visitor == visitor]

    def _bytes_of(self, tokens: Iterable[str]) -> int:
        return sum(self._items[token].nbytes for token in tokens)
