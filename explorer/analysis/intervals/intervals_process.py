"""Helper process that computes intervals: it receives a function with its arguments and returns the result.

Messages are pickled, which is safe because both ends belong to Tailscope.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from explorer.core.progress import OnShare, no_progress
from explorer.runtime.helper_process import LOWEST_PRIORITY, HelperEnded, HelperProcess, serve_with_progress

WorkResult = TypeVar("WorkResult")


class IntervalsHelper:
    """Computes intervals at low priority, because the page does not wait for them.

    If no process can be started, computes them in this one. Thread-safe.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.intervals.intervals_process", LOWEST_PRIORITY)

    def __call__(self, work: Callable[..., WorkResult], on_progress: OnShare | None = None) -> WorkResult:
        """Run `work`, a picklable `partial` of a module's function, and return its result.

        `on_progress`, if given, receives the share done and is passed to `work` as a keyword argument.
        """
        question = pickle.dumps((work, on_progress is not None))
        try:
            answer: WorkResult = pickle.loads(self._process.ask(question, _progress_parser(on_progress or no_progress)))
        except HelperEnded:
            return work() if on_progress is None else work(on_progress=on_progress)
        return answer


def _progress_parser(on_progress: OnShare) -> Callable[[bytes], None]:
    return lambda news: on_progress(float(news))


def _answer(question: bytes, send: Callable[[bytes], None]) -> bytes:
    work, reports = pickle.loads(question)
    return pickle.dumps(work(on_progress=lambda share: send(str(share).encode())) if reports else work())


if __name__ == "__main__":
    serve_with_progress(_answer)
