"""Films of the visitors who are here now: in memory, under a random token, for a bounded time."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

MINUTE = 60.0
PRESENT = 3 * MINUTE  # since the last sign of a visitor: open pages give one every minute
REMEMBERED = 4096  # tokens of what had to go
Item = TypeVar("Item")
# Why an item is not here any more: its time was over; others needed its memory; its visitor opened too many others.
Reason = Literal["time", "room", "own"]


@dataclass(slots=True)
class _Place(Generic[Item]):
    item: Item
    visitor: str
    nbytes: int
    since: float
    asked: float  # for the last time


class Shelf(Generic[Item]):
    """Holds what visitors opened until they leave or `lifetime` seconds have passed.

    One visitor has at most `each` items of `each_bytes` together: the oldest make room for the one just put. All items
    are at most `max_bytes`: then that goes which has waited longest to be asked for, of visitors who are not present
    first. Why something had to go is remembered for a while. Nothing is written to disk, and an item is reached only
    by its token. Safe to use from several threads.
    """

    def __init__(
        self,
        *,
        each: int = 3,
        each_bytes: int = 512 << 20,
        max_bytes: int = 2 << 30,
        lifetime: float = 30 * MINUTE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._each = each
        self._each_bytes = each_bytes
        self._max_bytes = max_bytes
        self._lifetime = lifetime
        self._clock = clock
        self._lock = threading.Lock()
        self._places: dict[str, _Place[Item]] = {}  # in the order they were put, oldest first
        self._present: dict[str, float] = {}  # when there was a sign of each visitor who has something here
        self._gone: OrderedDict[str, Reason] = OrderedDict()

    def __len__(self) -> int:
        with self._lock:
            return len(self._places)

    def put(self, item: Item, *, visitor: str, nbytes: int) -> str:
        """Keep `item`; returns its token."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            now = self._clock()
            self._places[token] = _Place(item, visitor, nbytes, now, now)
            self._present[visitor] = now
            self._make_room(token)
        return token

    def get(self, token: str) -> Item | None:
        """The item, or None once it is gone. Asking for it does not prolong its stay."""
        with self._lock:
            self._drop_expired()
            place = self._places.get(token)
            if place is None:
                return None
            place.asked = self._present[place.visitor] = self._clock()
            return place.item

    def seen(self, tokens: Iterable[str]) -> None:
        """A sign that whoever has these open is present."""
        with self._lock:
            for token in tokens:
                if token in self._places:
                    self._present[self._places[token].visitor] = self._clock()

    def why_gone(self, token: str) -> Reason | None:
        """Why an item is not here; None where it is, where its visitor let it go, and where nobody remembers."""
        with self._lock:
            self._drop_expired()
            return self._gone.get(token)

    def replace(self, token: str, old: Item, new: Item) -> None:
        """Put `new` in the place of `old` if that is still what stands there; its time goes on running."""
        with self._lock:
            if token in self._places and self._places[token].item is old:
                self._places[token].item = new

    def drop_visitor(self, visitor: str) -> None:
        """Forget everything the visitor opened."""
        with self._lock:
            for token in self._tokens_of(visitor):
                self._take_away(token, None)

    def drop(self, token: str) -> None:
        """Forget one item."""
        with self._lock:
            if token in self._places:
                self._take_away(token, None)

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
        for token in [token for token, place in self._places.items() if now - place.since >= self._lifetime]:
            self._take_away(token, "time")

    def _make_room(self, newest: str) -> None:
        """Let others go, never the one just put: it is what its visitor is waiting for."""
        mine = self._tokens_of(self._places[newest].visitor)
        while len(mine) > 1 and (len(mine) > self._each or self._bytes_of(mine) > self._each_bytes):
            self._take_away(mine.pop(0), "own")
        while len(self._places) > 1 and self._bytes_of(self._places) > self._max_bytes:
            others = [token for token in self._places if token != newest]
            self._take_away(min(others, key=self._claim), "room")

    def _claim(self, token: str) -> tuple[bool, float]:
        """How much a place is wanted; the least goes first."""
        place = self._places[token]
        return self._clock() - self._present[place.visitor] < PRESENT, place.asked

    def _take_away(self, token: str, why: Reason | None) -> None:
        visitor = self._places.pop(token).visitor
        if not self._tokens_of(visitor):
            self._present.pop(visitor, None)
        if why is not None:
            self._gone[token] = why
            while len(self._gone) > REMEMBERED:
                self._gone.popitem(last=False)

    def _tokens_of(self, visitor: str) -> list[str]:
        return [token for token, place in self._places.items() if place.visitor == visitor]

    def _bytes_of(self, tokens: Iterable[str]) -> int:
        return sum(self._places[token].nbytes for token in tokens)
