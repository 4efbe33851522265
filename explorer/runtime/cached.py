"""A cache of recent answers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class RecentAnswers(Generic[Answer]):
    """Caches the last `most` answers by key. Thread-safe."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], Answer]) -> Answer:
        """Return the cached answer or compute it; several threads may compute the same answer at the same time."""
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return self._answers[key]
        found = compute()
        with self._lock:
            self._answers[key] = found
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return found
