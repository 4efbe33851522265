"""Tables that are made when they are first asked for, shared while they are in use, and dropped to make room."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

Item = TypeVar("Item")
Slot = tuple[str, ...]  # what a thing is called whatever its version


@dataclass(slots=True, eq=False)
class _Place:
    version: str
    made: tuple[Any, int] | None = None  # the thing and its bytes
    users: int = 0
    gone: bool = False  # whatever it is, nobody asks for it again
    making: threading.Lock = field(default_factory=threading.Lock)
    release: ExitStack = field(default_factory=ExitStack)


class Leases:
    """Holds things of `budget` bytes together; the least recently used go first, those in use and the last one stay.

    A thing of an older version goes as soon as nobody uses it. Safe to use from several threads.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._lock = threading.RLock()
        self._places: dict[tuple[Slot, str], _Place] = {}  # the least recently used first

    @contextmanager
    def lease(self, slot: Slot, version: str, make: Callable[[ExitStack], tuple[Item, int]]) -> Iterator[Item]:
        """The thing in this slot, made by one thread where it is not there. `make` puts what undoes it on the stack."""
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

    def forget(self, name: str) -> None:
        """Drop what is in the slots of this name, `(kind, name, ...)`, as soon as nobody uses it."""
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
        """Drop what nobody uses and is of an older version, was never made, or is too much."""
        newest = {slot: version for slot, version in self._places}
        for key, place in list(self._places.items()):
            old = place.made is None or place.gone or newest[key[0]] != key[1]
            last = key == next(reversed(self._places), None)
            if not place.users and key in self._places and (old or (not last and self._bytes() > self._budget)):
                del self._places[key]
                place.release.close()

    def _bytes(self) -> int:
        return sum(place.made[1] for place in self._places.values() if place.made)
