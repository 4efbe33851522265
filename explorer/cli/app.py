"""The commands, and how they end: 0 done, 1 a check was missed, 2 wrong input, 70 a mistake of Tailscope itself."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import typer

from explorer.cli.check import check
from explorer.cli.classes import classes
from explorer.cli.delete import delete
from explorer.cli.demo import demo
from explorer.cli.ensemble import ensemble
from explorer.cli.evaluate import evaluate
from explorer.cli.ingest import ingest
from explorer.cli.ingest_boxes import boxes
from explorer.cli.ingest_datasets import add_datasets
from explorer.cli.lab import lab
from explorer.cli.localize import localize
from explorer.cli.model import model
from explorer.cli.say import say, write_out_what_is_not_encoded
from explorer.cli.score import score
from explorer.cli.submit import submit
from explorer.cli.taxonomies import taxonomies
from explorer.cli.thresholds import thresholds
from explorer.cli.where_it_fails import where_it_fails
from explorer.runtime.environment import no_core_files
from explorer.runtime.interrupt import exit_code_of_interrupt, was_interrupted
from explorer.runtime.too_little_memory import too_little_memory

# Plain help keeps the lines of examples as they are written; an exception that nobody foresaw is not decorated either.
app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(evaluate)
app.command()(ensemble)
app.command()(check)
app.command()(score)
app.command()(localize)
app.command()(thresholds)
app.command()(taxonomies)
app.command()(submit)
app.command("where-it-fails")(where_it_fails)
app.command()(demo)
app.command()(delete)
ingest.command("boxes")(boxes)
add_datasets(ingest)
app.add_typer(ingest, name="ingest")
app.add_typer(lab, name="lab")
app.add_typer(model, name="model")
app.add_typer(classes, name="class")

NO_MEMORY = 2  # as a full disk
MISTAKE = 70  # EX_SOFTWARE of sysexits.h


@app.callback()
def tailscope() -> None:
    """Numbers of a chest radiograph classifier over a cohort of images.

    \b
    Example: python -m explorer evaluate --labels labels.csv --scores scores.csv
    Help:    python -m explorer evaluate --help
    Where it is installed, `tailscope` says the same as `python -m explorer`.

    \b
    Exit codes, of every command:
      0  done
      1  problems in the files: `check` lists all, other commands count them and list the first 20
      2  wrong input: a file or an option that cannot be used; too little disk or memory
     70  a mistake of Tailscope itself
    130  stopped by Ctrl-C
    """


def main() -> None:
    """Run the command that the command line names, then end the process."""
    no_core_files()
    write_out_what_is_not_encoded()
    with exit_code_of_interrupt():
        try:
            app(prog_name="tailscope" if Path(sys.argv[0]).stem == "tailscope" else "python -m explorer")
        except Exception as error:  # nobody foresaw it: 1, Python's own code for it, would mean a missed check
            if not was_interrupted():
                sys.exit(_unforeseen(error))


def _unforeseen(error: Exception) -> int:
    """Say what happened, and what to do; returns the exit code."""
    if words := too_little_memory(error):
        say(words, err=True)
        return NO_MEMORY
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    say(
        f"An error in Tailscope itself, not in your files: {type(error).__name__} in {where}: {error}\n"
        "Please report this text, and the command without the names of patients, where you got Tailscope from.",
        err=True,
    )
    return MISTAKE
