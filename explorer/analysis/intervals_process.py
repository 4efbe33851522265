"""The other process that computes intervals: a question is a function of these rooms with what it takes, its answer
what that returns.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from explorer.runtime.helper_process import PATIENT, HelperEnded, HelperProcess, serve

Answer = TypeVar("Answer")


class IntervalsApart:
    """Computes intervals at a lower priority: they take seconds, and the page is there without them.

    Where no process can be started they are computed here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.intervals_process", PATIENT)

    def __call__(self, work: Callable[[], Answer]) -> Answer:
        """What `work` returns: a `partial` of a module's function, all of it fit to be pickled."""
        try:
            answer: Answer = pickle.loads(self._process.ask(pickle.dumps(work)))
        except HelperEnded:
            return work()
        return answer


def _answer(question: bytes) -> bytes:
    return pickle.dumps(pickle.loads(question)())


if __name__ == "__main__":
    serve(_answer)
