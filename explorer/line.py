"""First come, first served, with a place in the line that can be asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class LineFull(Exception):
    """Too many wait already: `title` says so, `detail` what to do."""

    def __init__(self, longest: int) -> None:
        self.title = "Too many films are waiting"
        self.detail = f"{longest} stand in line for the model. Open the film again in a minute."
        super().__init__(f"{self.title}. {self.detail}")


class Line:
    """One at a time, in the order of arrival; a plain lock keeps no order and tells nobody how long it will be."""

    def __init__(self, longest: int = 24) -> None:
        """At most `longest` stand in line, the one being served included."""
        self._longest = longest
        self._moved = threading.Condition()
        self._waiting: list[tuple[str, object]] = []  # a name may stand in line twice

    @contextmanager
    def turn(self, name: str) -> Iterator[None]:
        """Wait until everyone who came before is done. Raises LineFull."""
        place = (name, object())
        with self._moved:
            if len(self._waiting) >= self._longest:
                raise LineFull(self._longest)
            self._waiting.append(place)
            self._moved.wait_for(lambda: self._waiting[0] is place)
        try:
            yield
        finally:
            with self._moved:
                self._waiting.remove(place)
                self._moved.notify_all()

    def ahead(self, name: str) -> int | None:
        """How many are served before `name`, the one being served included; None when the name is not in line."""
        with self._moved:
            return next((place for place, (each, _) in enumerate(self._waiting) if each == name), None)
