"""Where work is done that keeps a processor busy for seconds: in this process, or in another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class Process(Protocol):
    """A place for work."""

    def __call__(self, work: Callable[..., Result], on_progress: Callable[[float], None] | None = None, /) -> Result:
        """What `work` returns: a `partial` of a module's function, all of it fit to be pickled.

        Where `on_progress` hears how much is done, `work` takes it as a keyword.
        """


def here(work: Callable[..., Result], on_progress: Callable[[float], None] | None = None) -> Result:
    """In this process."""
    return work() if on_progress is None else work(on_progress=on_progress)
