"""A rate limit per key: a token bucket with a burst and a refill rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable


class RateLimit:
    """`at_once` requests per key, then `a_second`. Only the `most` recent keys are remembered.

    Not thread-safe: it belongs to one event loop.
    """

    def __init__(
        self, at_once: float, a_second: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._most = most
        self._clock = clock
        self._left: OrderedDict[object, tuple[float, float]] = OrderedDict()  # tokens left, and when they were counted

    def wait(self, key: object) -> float:
        """Seconds until the next request is allowed; 0 if it is allowed now."""
        return max(0.0, (1 - self._tokens(key)) / self._a_second)

    def take(self, key: object) -> float:
        """Like `wait`, but if it is 0, a token is taken."""
        if not (wait := self.wait(key)):
            self._left[key] = self._tokens(key) - 1, self._clock()
            self._left.move_to_end(key)
            if len(self._left) > self._most:
                self._left.popitem(last=False)
        return wait

    def _tokens(self, key: object) -> float:
        left, counted = self._left.get(key, (self._at_once, self._clock()))
        return min(self._at_once, left + (self._clock() - counted) * self._a_second)
