"""Ends the program once its own clean-up is done, and leaves its threads where they are.

Python would stop each daemon thread at its next step. Inside C++ code, such as DuckDB's, that aborts the process.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class _State:
    """The state of the program."""

    code: int | None = None  # None: it did not end by itself


@contextmanager
def exit_without_teardown() -> Iterator[None]:
    """Let the program end after the functions of `atexit` if SystemExit leaves the block. Enter it before imports.

    Functions registered before are not called: `atexit` calls the last one first.
    """
    atexit.register(_exit)
    try:
        yield
    except SystemExit as error:
        _State.code = 0 if error.code is None else error.code if isinstance(error.code, int) else 1
        raise


def _exit() -> None:
    if _State.code is not None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_State.code)
