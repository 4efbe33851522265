"""Tables that are created on first use, shared while in use, and dropped to free memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

Item = TypeVar("Item")
Slot = tuple[str, ...]  # identifies a resource regardless of its version


@dataclass(slots=True, eq=False)
class _Place:
    version: str
    made: tuple[Any, int] | None = None  # the resource and its size in bytes
    users: int = 0
    gone: bool = False  # to be dropped, whatever its version
    making: threading.Lock = field(default_factory=threading.Lock)
    release: ExitStack = field(default_factory=ExitStack)


class Leases:
    """Holds resources of up to `budget` bytes; evicts the least recently used, but never the last one, nor any in use,
    nor any that takes no bytes.

    An older version is dropped once it is unused. Thread-safe.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._lock = threading.RLock()
        self._places: dict[tuple[Slot, str], _Place] = {}  # the least recently used first

    @contextmanager
    def lease(self, slot: Slot, version: str, make: Callable[[ExitStack], tuple[Item, int]]) -> Iterator[Item]:
        """Yield the resource in this slot, created by one thread if needed. `make` puts its cleanup on the stack."""
        key = slot, version
        with self._lock:
            place = self._places.setdefault(key, _Place(version))
            self._places[key] = self._places.pop(key)
            place.users += 1
        try:
            yield self._made(place, make)
        finally:
            with self._lock:
                place.users -= 1
                self._make_room()

    def holds(self, slot: Slot) -> bool:
        """Whether any version of a resource is here."""
        with self._lock:
            return any(key[0] == slot and place.made is not None for key, place in self._places.items())

    def forget(self, name: str) -> None:
        """Drop the contents of slots with this name, `(kind, name, ...)`, once they are unused."""
        with self._lock:
            for slot, version in self._places:
                if slot[1:2] == (name,):
                    self._places[slot, version].gone = True
            self._make_room()

    def _made(self, place: _Place, make: Callable[[ExitStack], tuple[Any, int]]) -> Any:  # noqa: ANN401 - what this place's maker made
        with place.making:
            if place.made is None:
                with ExitStack() as undo:
                    place.made = make(undo)
                    place.release = undo.pop_all()
            return place.made[0]

    def _make_room(self) -> None:
        """Drop unused resources that are outdated, were never created, or exceed the budget."""
        newest = {slot: version for slot, version in self._places}
        for key, place in list(self._places.items()):
            old = place.made is None or place.gone or newest[key[0]] != key[1]
            last = key == next(reversed(self._places), None)
            full = not last and place.made is not None and place.made[1] > 0 and self._bytes() > self._budget
            if not place.users and key in self._places and (old or full):
                del self._places[key]
                place.release.close()

    def _bytes(self) -> int:
        return sum(place.made[1] for place in self._places.values() if place.made)
