"""Progress and remaining time of a long command, on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from explorer.core.figures import fixed
from explorer.core.progress import OnProgress

SECONDS_BETWEEN_LINES = 10.0  # if stderr is not a terminal


@contextmanager
def time_left(what: str) -> Iterator[OnProgress]:
    """Yield a function to call with (done, total); `what` names the items, for example "films".

    Shows a bar on a terminal; elsewhere, a line every ten seconds and one at the end.
    """
    if sys.stderr.isatty():
        with _bar(what) as progress:
            yield progress
    else:
        yield _Lines(what).progress


@contextmanager
def _bar(what: str) -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, of: progress.update(task, completed=done, total=of)


class _Lines:
    def __init__(self, what: str) -> None:
        self._what = what
        self._start = self._last = time.monotonic()

    def progress(self, done: int, of: int) -> None:
        now = time.monotonic()
        if not done or (now - self._last < SECONDS_BETWEEN_LINES and done < of):
            return
        self._last = now
        rate = done / max(now - self._start, 1e-9)
        typer.echo(
            f"{done:,} of {of:,} {self._what}, {fixed(rate, 1)} a second, {_duration((of - done) / rate)} left",
            err=True,
        )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{round(seconds)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{fixed(seconds / 3600, 1)} h"
