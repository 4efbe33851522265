"""How long the work that is done in the background will still take."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

FEW = 0.05  # of the work: before that nobody can say how long the rest takes


class Meter:
    """The work that was begun last: how much is done, and since when. Safe to use from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: tuple[Hashable, float, float] | None = None  # replaced as a whole

    def of(self, key: Hashable) -> Callable[[float], None]:
        """Begin a work; what hears how much of it is done."""
        begun = self._clock()
        self._known = key, begun, 0.0

        def hear(share: float) -> None:
            self._known = key, begun, share

        return hear

    def left(self, key: Hashable) -> float | None:
        """The seconds that the work will still take at its pace so far; None while little of it is done."""
        if self._known is None or self._known[0] != key:
            return None
        _, begun, share = self._known
        return (self._clock() - begun) * (1 - share) / share if share >= FEW else None
