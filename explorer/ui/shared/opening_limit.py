"""A limit on the films one visitor may have opening at once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from models.refusal import Refusal

MAX_OPENING_FILMS = 3  # the page keeps as many films of one visitor


class TooManyOpening(Refusal):
    """A visitor has too many films opening: `title` says that, `detail` what to do."""

    def __init__(self) -> None:
        super().__init__(
            "Too many of your films are being opened",
            f"{MAX_OPENING_FILMS} films can be opening at once. Open this one when another has finished.",
        )


class OpeningLimit:
    """Counts the films each visitor has opening, so that nobody occupies every decoder. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._films: Counter[str] = Counter()

    @contextmanager
    def count_opening(self, visitor: str) -> Iterator[None]:
        """Count one more film of a visitor for the duration of the block. Raises TooManyOpening."""
        with self._lock:
            if self._films[visitor] >= MAX_OPENING_FILMS:
                raise TooManyOpening
            self._films[visitor] += 1
        try:
            yield
        finally:
            with self._lock:
                self._films[visitor] -= 1
                self._films += Counter()  # drops visitors whose count is zero
