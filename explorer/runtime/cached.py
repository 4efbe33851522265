"""Answers that were asked for lately."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Recent(Generic[Answer]):
    """Keeps the last `most` answers by what was asked. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()

    def get(self, asked: Hashable, answer: Callable[[], Answer]) -> Answer:
        """The answer; it is found where it is not there, by several threads at once if several ask."""
        with self._lock:
            if asked in self._answers:
                self._answers.move_to_end(asked)
                return self._answers[asked]
        found = answer()
        with self._lock:
            self._answers[asked] = found
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return found
