"""How a command ends that was refused: in words on stderr, with an exit code."""

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
    """Print what the block refuses; the command then ends with 1 where a check was missed, with 2 for wrong input.

    A disk that is full and a folder that is closed are reported, too. A reader that stops is not an error, and memory
    that runs out is reported at the end of the program.
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
