"""Prints messages safely on any terminal or pipe."""

from __future__ import annotations

import codecs
import os
import sys

import typer

from explorer.core.visible_text import visible


def say(words: object, *, err: bool = False, nl: bool = True) -> None:
    """Print to standard output or standard error, with control characters escaped."""
    typer.echo(visible(str(words)), err=err, nl=nl)


def warn(words: object) -> None:
    """Print to standard error, in red on a terminal unless NO_COLOR is set (https://no-color.org)."""
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    text = visible(str(words))
    typer.echo(typer.style(text, fg=typer.colors.RED) if colored else text, err=True)


def escape_unencodable() -> None:
    """Let standard output and standard error accept any text, whatever the terminal's encoding.

    Dashes and minus signs become hyphens; other characters that cannot be encoded become backslash escapes.
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
