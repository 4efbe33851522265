"""First come, first served, with a place in the line that can be asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from models.refusal import Refusal


class QueueFull(Refusal):
    """Too many wait already: `title` says so, `detail` what to do."""

    def __init__(self, longest: int) -> None:
        super().__init__(
            "Too many films are waiting", f"{longest} are waiting for the model. Open the film again in a minute."
        )


class FairQueue:
    """So many at once, in the order of arrival; a plain lock keeps no order and tells nobody how long it will be."""

    def __init__(self, longest: int = 24, *, abreast: int = 1) -> None:
        """At most `longest` stand in line, those being served included; `abreast` are served at once."""
        self._longest = longest
        self._abreast = abreast
        self._moved = threading.Condition()
        self._served: list[tuple[str, object]] = []  # a name may stand in line twice
        self._waiting: list[tuple[str, object]] = []
        self._aside: list[tuple[str, object]] = []  # served, of those who give way
        self._giving_way: list[tuple[str, object]] = []

    @contextmanager
    def turn(self, name: str, *, gives_way: bool = False) -> Iterator[None]:
        """Wait until everyone who came before is served. Raises QueueFull.

        Who gives way waits until nobody else does and a place is free, takes none from those who come then, and is
        never turned away because the line is full: whoever sends those who give way bounds them.
        """
        place, served = (name, object()), self._aside if gives_way else self._served
        with self._moved:
            self._wait(place, self._giving_way if gives_way else self._waiting)
            served.append(place)
            self._moved.notify_all()  # there may be room for one more
        try:
            yield
        finally:
            with self._moved:
                served.remove(place)
                self._moved.notify_all()

    def ahead(self, name: str) -> int | None:
        """How many are served before `name`, those being served included; None when the name is not in line."""
        with self._moved:
            line = [*self._served, *self._waiting, *self._aside, *self._giving_way]
            return next((place for place, (each, _) in enumerate(line) if each == name), None)

    def _wait(self, place: tuple[str, object], queue: list[tuple[str, object]]) -> None:
        if queue is self._waiting and len(self._served) + len(queue) >= self._longest:
            raise QueueFull(self._longest)
        queue.append(place)
        try:
            self._moved.wait_for(lambda: self._is_next(place))
        finally:
            queue.remove(place)

    def _is_next(self, place: tuple[str, object]) -> bool:
        free = self._abreast - len(self._served)
        if self._waiting:
            return free > 0 and self._waiting[0] is place
        return free > len(self._aside) and self._giving_way[0] is place
