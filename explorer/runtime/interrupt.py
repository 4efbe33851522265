"""Ctrl-C ends the program with one line and exit code 130 at any moment, from the first import on.

Python's own way, an exception with a traceback, is caught and reworded by many libraries while they are imported.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# What shells say of a program that Ctrl-C ended. Make hears Ctrl-C itself and ends so; of another code than 0 it would
# print a line of its own.
BY_MAKE = "TAILSCOPE_RUN_BY_MAKE"
CODE = 0 if BY_MAKE in os.environ else 130
LINE = b"Stopped by Ctrl-C.\n"


class _Moment:
    """How far the program is."""

    works = False  # there is something to tidy up
    stopped = False


def end_on_interrupt() -> None:
    """From now on Ctrl-C ends the process at once, unless whoever started it has it ignore Ctrl-C."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def deaf_processes() -> Iterator[None]:
    """Processes that begin in the block do not hear Ctrl-C: the program that began them ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)  # one that came meanwhile is heard now


def was_interrupted() -> bool:
    """Whether the program is ending because of Ctrl-C, whatever exception says otherwise."""
    return _Moment.stopped


@contextmanager
def exit_code_of_interrupt() -> Iterator[None]:
    """In the block Ctrl-C leaves what is open, and whatever libraries make of it, the process ends with its code.

    A second one ends the process at once.
    """
    _Moment.works = True
    try:
        yield
    finally:
        if was_interrupted():
            sys.exit(CODE)


def _end(signum: int, frame: FrameType | None) -> None:
    if not _Moment.stopped:
        os.write(2, LINE)
    if _Moment.stopped or not _Moment.works:
        os._exit(CODE)
    _Moment.stopped = True
    sys.unraisablehook = _no_progress  # where it is raised nobody may be able to hear of it
    raise SystemExit(CODE)


def _no_progress(unraisable: sys.UnraisableHookArgs) -> None:
    if isinstance(unraisable.exc_value, SystemExit):
        os._exit(CODE)
