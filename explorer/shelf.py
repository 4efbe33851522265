"""Films of the visitors who are here now: in memory, under a random token, for a bounded time."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

MINUTE = 60.0
Item = TypeVar("Item")


@dataclass(slots=True)
class _Place(Generic[Item]):
    item: Item
    visitor: str
    nbytes: int
    since: float


class Shelf(Generic[Item]):
    """Holds what visitors opened until they leave, open something else, or `lifetime` seconds have passed.

    At most `capacity` items of `max_bytes` together, and `each` of one visitor: the oldest make room. Nothing is
    written to disk, and an item can be had only by its token. Safe to use from several threads.
    """

    def __init__(
        self,
        *,
        capacity: int = 32,
        each: int = 3,
        max_bytes: int = 2 << 30,
        lifetime: float = 30 * MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capacity = capacity
        self._each = each
        self._max_bytes = max_bytes
        self._lifetime = lifetime
        self._clock = clock
        self._lock = threading.Lock()
        self._places: dict[str, _Place[Item]] = {}  # in the order they were put, oldest first

    def __len__(self) -> int:
        with self._lock:
            return len(self._places)

    def put(self, item: Item, *, visitor: str, nbytes: int) -> str:
        """Keep `item`; returns its token."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._places[token] = _Place(item, visitor, nbytes, self._clock())
            for old in self._tokens_of(visitor)[: -self._each]:
                del self._places[old]
            self._make_room()
        return token

    def get(self, token: str) -> Item | None:
        """The item, or None once it is gone. Looking at it does not prolong its stay."""
        with self._lock:
            self._drop_expired()
            place = self._places.get(token)
            return None if place is None else place.item

    def replace(self, token: str, old: Item, new: Item) -> None:
        """Put `new` in the place of `old` if that is still what stands there; its time goes on running."""
        with self._lock:
            if token in self._places and self._places[token].item is old:
                self._places[token].item = new

    def drop_visitor(self, visitor: str) -> None:
        """Forget everything the visitor opened."""
        with self._lock:
            self._keep(lambda place: place.visitor != visitor)

    def drop(self, token: str) -> None:
        """Forget one item."""
        with self._lock:
            self._places.pop(token, None)

    def sweep(self) -> None:
        """Forget what has been here too long."""
        with self._lock:
            self._drop_expired()

    def sweep_forever(self, every: float = MINUTE) -> None:
        """Sweep again and again, so that films go in time even when nobody asks for any. For a daemon thread."""
        while True:
            time.sleep(every)
            self.sweep()

    def _drop_expired(self) -> None:
        now = self._clock()
        self._keep(lambda place: now - place.since < self._lifetime)

    def _tokens_of(self, visitor: str) -> list[str]:
        return [token for token, place in self._places.items() if place.visitor == visitor]

    def _keep(self, wanted: Callable[[_Place[Item]], bool]) -> None:
        self._places = {token: place for token, place in self._places.items() if wanted(place)}

    def _make_room(self) -> None:
        """Drop the oldest, but never the one just put: it is what its visitor is waiting for."""
        while len(self._places) > 1 and self._is_full():
            del self._places[next(iter(self._places))]

    def _is_full(self) -> bool:
        return (
            len(self._places) > self._capacity or sum(place.nbytes for place in self._places.values()) > self._max_bytes
        )
