"""How many films one visitor may have opened at once."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from models.refusal import Refusal

MOST = 3  # as many as the page keeps of one visitor


class TooManyOpening(Refusal):
    """A film too many: `title` says so, `detail` what to do."""

    def __init__(self) -> None:
        super().__init__(
            "Too many of your films are being opened",
            f"{MOST} at once are enough for one page. Open this one again when one of them is there.",
        )


class OpeningLimit:
    """Counts the films that each visitor is having opened, so that nobody takes all the places. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._films: Counter[str] = Counter()

    @contextmanager
    def one_of(self, visitor: str) -> Iterator[None]:
        """One more film of a visitor while the block runs. Raises TooManyOpening."""
        with self._lock:
            if self._films[visitor] >= MOST:
                raise TooManyOpening
            self._films[visitor] += 1
        try:
            yield
        finally:
            with self._lock:
                self._films[visitor] -= 1
                self._films += Counter()  # visitors without a film are forgotten
