"""How a refused command ends: a sentence on stderr and an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from explorer.cli.say import say
from explorer.runtime.too_little_memory import too_little_memory
from explorer.tabular.problems import FailedChecks, Refused
from models.refusal import Refusal


@contextmanager
def report_refusals() -> Iterator[None]:
    """Print the refusal of the block and exit with 1 for a failed check, 2 for wrong input.

    A full disk or a folder without permission is reported too. A closed pipe is not an error; running out of memory is
    reported in `main`.
    """
    try:
        yield
    except (Refused, Refusal) as refused:
        say(refused, err=True)
        raise typer.Exit(1 if isinstance(refused, FailedChecks) else 2) from refused
    except BrokenPipeError:
        raise
    except OSError as error:
        if too_little_memory(error):
            raise
        say(f"A file cannot be read or written: {error}. Fix that, then run the command again.", err=True)
        raise typer.Exit(2) from error
