"""Work that is begun once, in a thread of its own, and asked about until it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future


class InBackground:
    """Runs work by key. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: dict[Hashable, Future[None]] = {}

    def has_begun(self, key: Hashable) -> bool:
        """Whether the work has begun, and nobody knows yet how it ended."""
        with self._lock:
            return key in self._begun

    def is_done(self, key: Hashable, work: Callable[[], None]) -> bool:
        """Begin the work if it has not begun; whether it is done. Raises what it raised, then it may begin again."""
        with self._lock:
            begun = self._begun.get(key)
            if begun is None:
                begun = self._begun[key] = Future()
                threading.Thread(target=_run, args=(begun, work), daemon=True).start()
            is_done = begun.done()
            if is_done:
                del self._begun[key]
        if is_done:
            begun.result()
        return is_done


def _run(begun: Future[None], work: Callable[[], None]) -> None:
    try:
        work()
    except Exception as error:  # whoever asks next gets it
        begun.set_exception(error)
    else:
        begun.set_result(None)
