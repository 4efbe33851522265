"""The other process that computes intervals: a question is a function of these rooms with what it takes, its answer
what that returns.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from explorer.core.progress import OnShare, no_progress
from explorer.runtime.helper_process import PATIENT, HelperEnded, HelperProcess, serve_telling

Answer = TypeVar("Answer")


class IntervalsApart:
    """Computes intervals at a lower priority: they take seconds, and the page is there without them.

    Where no process can be started they are computed here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.intervals.intervals_process", PATIENT)

    def __call__(self, work: Callable[..., Answer], on_progress: OnShare | None = None) -> Answer:
        """What `work` returns: a `partial` of a module's function, all of it fit to be pickled.

        Where `on_progress` hears how much is done, `work` takes it as a keyword.
        """
        question = pickle.dumps((work, on_progress is not None))
        try:
            answer: Answer = pickle.loads(self._process.ask(question, _heard_by(on_progress or no_progress)))
        except HelperEnded:
            return work() if on_progress is None else work(on_progress=on_progress)
        return answer


def _heard_by(on_progress: OnShare) -> Callable[[bytes], None]:
    return lambda news: on_progress(float(news))


def _answer(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    work, tells = pickle.loads(question)
    return pickle.dumps(work(on_progress=lambda share: tell(str(share).encode())) if tells else work())


if __name__ == "__main__":
    serve_telling(_answer)
