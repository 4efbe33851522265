"""Where heavy work runs: in this process or in another.

Work in another process shares no interpreter with threads that answer, which its many small steps would slow down. Its
memory is free once that process ends. Messages are pickled, which is safe because both ends belong to Tailscope.
"""

from __future__ import annotations

import pickle
import threading
import traceback
from collections.abc import Callable
from typing import Protocol, TypeVar

from explorer.runtime.helper_process import HelperProcess, serve_with_progress

Result = TypeVar("Result")

VISITOR_WAITS = 10  # niceness of work that a visitor may wait for: others' questions go first


class RunWork(Protocol):
    """A callable that runs work somewhere."""

    def __call__(self, work: Callable[..., Result], on_progress: Callable[[float], None] | None = None, /) -> Result:
        """Return the result of `work`: a `partial` of a module-level function with picklable arguments.

        With `on_progress`, `work` must accept it as a keyword; it gets the share done.
        """


def run_here(work: Callable[..., Result], on_progress: Callable[[float], None] | None = None) -> Result:
    """Run the work in this process."""
    return work() if on_progress is None else work(on_progress=on_progress)


class WorkProcess:
    """Runs one piece of work at a time in a process of its own, which is started on first use. Thread-safe."""

    def __init__(self, nice: int, *, once: bool = False) -> None:
        """`nice` is the process's niceness. `once`: it ends after each piece of work, which frees its memory."""
        self._process = HelperProcess("explorer.runtime.work_process", nice)
        self._once = once
        self._turn = threading.Lock()

    def __call__(self, work: Callable[..., Result], on_progress: Callable[[float], None] | None = None) -> Result:
        """Run work, as `RunWork` says. Raises what the work raises, and HelperEnded if the process ended early."""
        question = pickle.dumps((work, on_progress is not None))
        with self._turn:
            try:
                answer = self._process.ask(question, lambda share: on_progress and on_progress(float(share)))
            finally:
                if self._once:
                    self._process.end()
        result, failure = pickle.loads(answer)
        if failure is not None:
            raise failure
        done: Result = result
        return done

    def close(self) -> None:
        """End the process; what it is doing is not done."""
        self._process.end()


def _answer(question: bytes, tell: Callable[[bytes], None]) -> bytes:
    """Run the work that the other side asks for; returns its result and what it raised, one of them None, pickled."""
    work, reports = pickle.loads(question)
    try:
        result = run_here(work, (lambda share: tell(str(share).encode())) if reports else None)
    except Exception as error:  # any error: the other side raises it
        error.add_note("".join(traceback.format_exception(error)))
        return pickle.dumps((None, error))
    return pickle.dumps((result, None))


if __name__ == "__main__":
    serve_with_progress(_answer)
