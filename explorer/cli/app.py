"""The commands and their exit codes: 0 done, 1 a check failed, 2 wrong input, 70 a bug in Tailscope."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import typer

from explorer.cli.calibration import calibration
from explorer.cli.check import check
from explorer.cli.classes import classes
from explorer.cli.compare import compare
from explorer.cli.delete import delete
from explorer.cli.demo import demo
from explorer.cli.detectability import detectability
from explorer.cli.ensemble import ensemble
from explorer.cli.evaluate import evaluate
from explorer.cli.figure import figure
from explorer.cli.ingest import ingest
from explorer.cli.ingest_boxes import boxes
from explorer.cli.ingest_datasets import add_datasets
from explorer.cli.insert import insert
from explorer.cli.lab import lab
from explorer.cli.label_report import label_report
from explorer.cli.localize import localize
from explorer.cli.model import model
from explorer.cli.published import published
from explorer.cli.readers import readers
from explorer.cli.reviews import reviews
from explorer.cli.robustness import robustness
from explorer.cli.say import escape_unencodable, say
from explorer.cli.score import score
from explorer.cli.studies import studies
from explorer.cli.submit import submit
from explorer.cli.taxonomies import taxonomies
from explorer.cli.thresholds import thresholds
from explorer.cli.tracks import tracks
from explorer.cli.where_it_fails import where_it_fails
from explorer.runtime.environment import no_core_files
from explorer.runtime.interrupt import exit_code_of_interrupt, was_interrupted
from explorer.runtime.too_little_memory import too_little_memory

# Plain help keeps the line breaks of the examples; unexpected exceptions are reported by `main`, not by Rich.
app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
app.command()(evaluate)
app.command()(calibration)
app.command()(compare)
app.command()(ensemble)
app.command()(studies)
app.command()(figure)
app.command()(check)
app.command()(score)
app.command()(robustness)
app.command()(readers)
app.command()(detectability)
app.command()(insert)
app.command()(localize)
app.command()(thresholds)
app.command()(taxonomies)
app.command()(published)
app.command()(tracks)
app.command()(submit)
app.command("where-it-fails")(where_it_fails)
app.command("label-report")(label_report)
app.command()(demo)
app.command()(delete)
ingest.command("boxes")(boxes)
add_datasets(ingest)
app.add_typer(ingest, name="ingest")
app.add_typer(lab, name="lab")
app.add_typer(model, name="model")
app.add_typer(classes, name="class")
app.add_typer(reviews, name="review")

OUT_OF_MEMORY = 2  # the same code as for a full disk
BUG_IN_TAILSCOPE = 70  # EX_SOFTWARE of sysexits.h


@app.callback()
def tailscope() -> None:
    """Evaluate chest radiograph classifiers on a cohort of films.

    \b
    Example: python -m explorer evaluate --labels labels.csv --scores scores.csv
    Help:    python -m explorer evaluate --help
    An installed `tailscope` is the same program as `python -m explorer`.

    \b
    Exit codes of every command:
      0  done
      1  problems in the files: `check` lists them all, other commands count them and list the first 20
      2  wrong input: a file or an option that cannot be used; too little disk space or memory
     70  a bug in Tailscope
    130  stopped by Ctrl-C
    """


def main() -> None:
    """Run the command given on the command line, then exit with its code."""
    no_core_files()
    escape_unencodable()
    with exit_code_of_interrupt():
        try:
            app(prog_name="tailscope" if Path(sys.argv[0]).stem == "tailscope" else "python -m explorer")
        except Exception as error:  # unexpected: Python's own exit code, 1, would read as a failed check
            if not was_interrupted():
                sys.exit(_report_unexpected(error))


def _report_unexpected(error: Exception) -> int:
    """Report the error and how to pass it on; returns the exit code."""
    if words := too_little_memory(error):
        say(words, err=True)
        return OUT_OF_MEMORY
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    say(
        f"This is a bug in Tailscope, not in your files: {type(error).__name__} in {where}: {error}\n"
        "Please report this text and the command, without patient names, to wherever you got Tailscope.",
        err=True,
    )
    return BUG_IN_TAILSCOPE
