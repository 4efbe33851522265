"""How far a long command is and how long it will still take, on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from explorer.core.figures import fixed
from explorer.core.progress import OnProgress

SECONDS = 10.0  # between two lines, where stderr is no terminal


@contextmanager
def time_left(what: str) -> Iterator[OnProgress]:
    """Gives what to call with how many are done and of how many; `what` they are in words, for example "films".

    A bar on a terminal; elsewhere a line every ten seconds and one at the end.
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
        if not done or (now - self._last < SECONDS and done < of):
            return
        self._last = now
        rate = done / max(now - self._start, 1e-9)
        typer.echo(
            f"{done:,} of {of:,} {self._what}, {fixed(rate, 1)} a second, {_words((of - done) / rate)} left", err=True
        )


def _words(seconds: float) -> str:
    if seconds < 90:
        return f"{round(seconds)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{fixed(seconds / 3600, 1)} h"
