"""Makes Ctrl-C end the program with one line and exit code 130 at any moment, from the first import on.

Python's default, a KeyboardInterrupt, is caught and reworded by many libraries during their import.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# 130 is the shells' code for Ctrl-C. Make receives Ctrl-C as well, and would print an error line for any code but 0.
BY_MAKE = "TAILSCOPE_RUN_BY_MAKE"
INTERRUPT_EXIT_CODE = 0 if BY_MAKE in os.environ else 130
INTERRUPT_LINE = b"Stopped by Ctrl-C.\n"
SECONDS_BETWEEN_TRIES = 0.02  # to end, while an import goes on


class _State:
    """The state of the program."""

    works = False  # there is something to clean up
    stopped = False


def end_on_interrupt() -> None:
    """From now on, Ctrl-C ends the process at once, unless the parent process had it ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Let processes started in the block ignore Ctrl-C; the program that starts them ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)  # a Ctrl-C during the block is delivered now


def was_interrupted() -> bool:
    """Whether the program is ending because of Ctrl-C, whatever exception is raised."""
    return _State.stopped


@contextmanager
def exit_code_of_interrupt() -> Iterator[None]:
    """Let Ctrl-C unwind the block; the process then ends with its exit code, whatever libraries do with the exception.

    An import that has begun ends first. A second Ctrl-C ends the process at once.
    """
    _State.works = True
    try:
        yield
    finally:
        if was_interrupted():
            sys.exit(INTERRUPT_EXIT_CODE)


def _end(signum: int, frame: FrameType | None) -> None:
    pressed_again = _State.stopped and signum == signal.SIGINT
    if not _State.stopped:
        os.write(2, INTERRUPT_LINE)
    if pressed_again or not _State.works:
        os._exit(INTERRUPT_EXIT_CODE)
    _State.stopped = True
    if _is_importing(frame):
        signal.signal(signal.SIGALRM, _end)
        signal.setitimer(signal.ITIMER_REAL, SECONDS_BETWEEN_TRIES)
        return
    sys.unraisablehook = _exit_if_interrupted  # SystemExit may be raised where it cannot propagate
    raise SystemExit(INTERRUPT_EXIT_CODE)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported: an exception within a library's C code would abort the process."""
    while frame is not None:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _exit_if_interrupted(unraisable: sys.UnraisableHookArgs) -> None:
    if isinstance(unraisable.exc_value, SystemExit):
        os._exit(INTERRUPT_EXIT_CODE)
