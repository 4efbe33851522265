"""The commands, and how they end: 0 done, 1 a check was missed, 2 wrong input."""

from __future__ import annotations

import sys

import typer

from explorer.cli.check import check
from explorer.cli.evaluate import evaluate

# Plain help keeps the lines of examples as they are written; an exception that nobody foresaw is no decoration either.
app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(evaluate)
app.command()(check)


@app.callback()
def tailscope() -> None:
    """Numbers of a chest radiograph classifier over a cohort of images.

    \b
    Example: python -m explorer evaluate --labels labels.csv --scores scores.csv
    Help:    python -m explorer evaluate --help

    \b
    Exit codes, of every command:
      0  done
      1  a check of the files was missed; all problems are listed
      2  wrong input: a file or an option that cannot be used
    """


def main() -> None:
    """Run the command that the command line names, then end the process."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot write is no reason to fail
    app(prog_name="python -m explorer")
