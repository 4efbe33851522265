"""A first-come, first-served queue that can report a position."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from models.refusal import Refusal


class QueueFull(Refusal):
    """Too many are already waiting: `title` says so, `detail` what to do."""

    def __init__(self, longest: int) -> None:
        super().__init__(
            "Too many films are waiting", f"{longest} are waiting for the model. Open the film again in a minute."
        )


class FairQueue:
    """Serves a few at once, in order of arrival. A plain lock keeps no order and reports no position."""

    def __init__(self, longest: int = 24, *, abreast: int = 1) -> None:
        """At most `longest` are in the queue, including those being served; `abreast` are served at a time."""
        self._longest = longest
        self._abreast = abreast
        self._moved = threading.Condition()
        self._served: list[tuple[str, object]] = []  # a name may be in the queue twice
        self._waiting: list[tuple[str, object]] = []
        self._served_low: list[tuple[str, object]] = []
        self._waiting_low: list[tuple[str, object]] = []

    @contextmanager
    def turn(self, name: str, *, low_priority: bool = False) -> Iterator[None]:
        """Wait for everyone who came before. Raises QueueFull.

        With `low_priority`, wait until nobody else is waiting and a slot is free, and never delay those who arrive
        later. Such turns are not limited by the queue's length: the caller limits them.
        """
        place, served = (name, object()), self._served_low if low_priority else self._served
        with self._moved:
            self._wait(place, self._waiting_low if low_priority else self._waiting)
            served.append(place)
            self._moved.notify_all()  # another slot may be free
        try:
            yield
        finally:
            with self._moved:
                served.remove(place)
                self._moved.notify_all()

    def ahead(self, name: str) -> int | None:
        """Return the number of turns before `name`, including those being served; None if the name is not queued."""
        with self._moved:
            line = [*self._served, *self._waiting, *self._served_low, *self._waiting_low]
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
        return free > len(self._served_low) and self._waiting_low[0] is place
