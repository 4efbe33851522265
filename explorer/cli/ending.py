"""How a command ends that was refused: in words on stderr, with an exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from explorer.cohorts.layout import NoCohort
from explorer.evaluation.problems import FailedChecks, Refused
from models.card import UnusableModel


@contextmanager
def told() -> Iterator[None]:
    """Tell what the block refuses; the command then ends with 1 where a check was missed, with 2 for wrong input."""
    try:
        yield
    except (Refused, NoCohort, UnusableModel) as refused:
        typer.echo(refused, err=True)
        raise typer.Exit(1 if isinstance(refused, FailedChecks) else 2) from refused
