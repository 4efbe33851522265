"""What a command tells people, on a terminal or through a program."""

from __future__ import annotations

import codecs
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


def write_out_what_is_not_encoded() -> None:
    """Let standard output and standard error take every text, whatever the terminal's encoding.

    A dash or a minus sign becomes a hyphen, any other character its number: a name may hold what cannot be written.
    """
    codecs.register_error("written out", _written_out)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="written out")


def _written_out(error: UnicodeError) -> tuple[str, int]:
    from explorer.core.figures import with_hyphens

    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = with_hyphens(error.object[error.start : error.end])
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end
