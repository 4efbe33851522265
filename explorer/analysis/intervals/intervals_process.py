"""Computes intervals in a process of their own, at low priority, because the page does not wait for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from explorer.core.progress import OnShare
from explorer.runtime.helper_process import LOWEST_PRIORITY, HelperEnded
from explorer.runtime.work_process import WorkProcess, run_here

WorkResult = TypeVar("WorkResult")


class IntervalsHelper:
    """Runs work in its process or, if that cannot be started or has ended, in this one. Thread-safe."""

    def __init__(self) -> None:
        self._process = WorkProcess(LOWEST_PRIORITY)

    def __call__(self, work: Callable[..., WorkResult], on_progress: OnShare | None = None) -> WorkResult:
        """Run work, as `explorer.runtime.work_process.RunWork` says. Raises what it raises."""
        try:
            return self._process(work, on_progress)
        except HelperEnded:
            return run_here(work, on_progress)
