"""Where heavy work runs: in this process or in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class RunWork(Protocol):
    """A callable that runs work somewhere."""

    def __call__(self, work: Callable[..., Result], on_progress: Callable[[float], None] | None = None, /) -> Result:
        """Return the result of `work`: a `partial` of a module-level function with picklable arguments.

        With `on_progress`, `work` must accept it as a keyword; it gets the share done.
        """


def run_here(work: Callable[..., Result], on_progress: Callable[[float], None] | None = None) -> Result:
    """Run the work in this process."""
    return work() if on_progress is None else work(on_progress=on_progress)
