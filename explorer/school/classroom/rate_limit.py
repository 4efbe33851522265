"""So much at once and so much a second, for each of many: a bucket of tokens that fills again."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable


class RateLimit:
    """`at_once` requests of one key, then `a_second`. Those of the `most` keys that asked last are known.

    Not thread-safe: it belongs to the event loop that answers.
    """

    def __init__(
        self, at_once: float, a_second: float, most: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._most = most
        self._clock = clock
        self._left: OrderedDict[object, tuple[float, float]] = OrderedDict()  # tokens, when they were counted

    def wait(self, key: object) -> float:
        """Seconds until one more is let through; 0 where it is now."""
        return max(0.0, (1 - self._tokens(key)) / self._a_second)

    def take(self, key: object) -> float:
        """As `wait`; where it is 0, one was let through."""
        if not (wait := self.wait(key)):
            self._left[key] = self._tokens(key) - 1, self._clock()
            self._left.move_to_end(key)
            if len(self._left) > self._most:
                self._left.popitem(last=False)
        return wait

    def _tokens(self, key: object) -> float:
        left, counted = self._left.get(key, (self._at_once, self._clock()))
        return min(self._at_once, left + (self._clock() - counted) * self._a_second)
