"""The other process that computes intervals: a question is a function of these rooms with what it takes, its answer
what that returns.

Both are pickled: only Tailscope itself asks and answers.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from explorer.core.progress import OnShare, unheard
from explorer.runtime.helper_process import PATIENT, HelperEnded, HelperProcess, serve_telling

Answer = TypeVar("Answer")


class IntervalsApart:
    """Computes intervals at a lower priority: they take seconds, and the page is there without them.

    Where no process can be started they are computed here. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._process = HelperProcess("explorer.analysis.intervals_process", PATIENT)

    def __call__(self, work: Callable[..., Answer], on_share: OnShare | None = None) -> Answer:
        """What `work` returns: a `partial` of a module's function, all of it fit to be pickled.

        Where `on_share` hears how much is done, `work` takes it as a keyword.
        """
        question = pickle.dumps((work, on_share is not None))
        try:
            answer: Answer = pickle.loads(self._process.ask(question, _heard_by(on_share or unheard)))
        except HelperEnded:
            return work() if on_share is None else work(on_share=on_share)
        return answer


def _heard_by(on_share: OnShare) -> Callable[[bytes], None]:
    return lambda news: on_share(float(news))


def _answer(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    work, tells = pickle.loads(question)
    return pickle.dumps(work(on_share=lambda share: tell(str(share).encode())) if tells else work())


if __name__ == "__main__":
    serve_telling(_answer)
