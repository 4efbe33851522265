"""Estimates the remaining time of background work."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable

MIN_SHARE = 0.05  # of the work; before that, there is no estimate
LONG_SECONDS, MIN_SHARE_OF_LONG = 20.0, 0.01  # of work that has taken longer, less is enough: it began long ago


class RemainingTime:
    """The most recently started work: how much is done, and since when. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: tuple[Hashable, float, float] | None = None  # replaced as a whole

    def of(self, key: Hashable) -> Callable[[float], None]:
        """Start a piece of work; returns a callback for the share that is done."""
        started = self._clock()
        self._known = key, started, 0.0

        def on_share(share: float) -> None:
            self._known = key, started, share

        return on_share

    def left(self, key: Hashable) -> float | None:
        """Return the remaining seconds at the pace so far; None while too little is done."""
        if self._known is None or self._known[0] != key:
            return None
        _, started, share = self._known
        spent = self._clock() - started
        least = MIN_SHARE if spent < LONG_SECONDS else MIN_SHARE_OF_LONG
        return spent * (1 - share) / share if share >= least else None
