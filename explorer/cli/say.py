"""What a command tells people, on a terminal or through a program."""

from __future__ import annotations

import os
import sys

import typer

from explorer.core.visible_text import visible


def say(words: object, *, err: bool = False, nl: bool = True) -> None:
    """Write words to standard output, or to standard error, with what a terminal would obey written out."""
    typer.echo(visible(str(words)), err=err, nl=nl)


def warn(words: object) -> None:
    """Write words to standard error: in red on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    text = visible(str(words))
    typer.echo(typer.style(text, fg=typer.colors.RED) if colored else text, err=True)
