"""What a command tells people, on a terminal or through a program."""

from __future__ import annotations

import typer

from explorer.core.visible_text import visible


def say(words: object, *, err: bool = False, nl: bool = True) -> None:
    """Write words to standard output, or to standard error, with what a terminal would obey written out."""
    typer.echo(visible(str(words)), err=err, nl=nl)
