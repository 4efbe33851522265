"""`submit`: write a submission for a task of CXR-LT 2026 or 2024, checked without labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say
from explorer.core.challenge_columns import TASK_FORMATS, Challenge

Like = Annotated[
    Path | None,
    typer.Option(help="A sample (CSV) that sets the header and, if it has rows, the images and their order."),
]


def submit(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored the cohort.")],
    task: Annotated[
        int,
        typer.Option(
            min=1, max=3, help="2026: 30 seen findings, 6 unseen. 2024: 40 findings, gold standard, 5 unseen."
        ),
    ],
    out: Annotated[Path, typer.Option(help="File to write: .csv, or .zip holding the CSV.")],
    challenge: Annotated[Challenge, typer.Option(help="The challenge of CXR-LT by its year.")] = "2026",
    like: Like = None,
    id_column: Annotated[
        str, typer.Option(help="The sample's image column; if it does not exist, the first column.")
    ] = ("ImageID"),
) -> None:
    """Write a submission for a task of CXR-LT 2026 or 2024 from cached scores: no film is read.

    The file is checked before it gets its name: columns and rows, their order, missing and repeated images, scores from
    0 to 1. No labels are needed. A model that lacks a finding, or films without scores, are refused with their number
    and the command that computes them.

    \b
    Examples:
      python -m explorer submit --cohort phantom --model phantom --task 1 --out submission.zip
      python -m explorer submit --cohort phantom --model phantom-vlm --task 2 --like sample.csv --out task2.csv
      python -m explorer submit --cohort gold2024 --model mine --challenge 2024 --task 2 --out gold.csv
      python -m explorer check --scores submission.zip --like sample.csv

    \b
    Exit codes:
      0  done
      1  the file does not match its format: nothing is written
      2  wrong input: a cohort, a model, a sample or a file that cannot be used
    """
    from contextlib import closing

    from explorer.analysis.exports.submission import submission_of
    from explorer.cli.leaderboard import check_names
    from explorer.cli.output import writable
    from explorer.cli.submission_out import write_submission
    from explorer.store.store import Store
    from explorer.tabular.submission_file import read_format

    with report_refusals():
        writable(out, *([like] if like is not None else []))
        sample = None if like is None else read_format(like, id_column)
        with closing(Store()) as store:
            (model,) = check_names(store, cohort, [model])
            made = submission_of(store, cohort, model, task, sample, challenge)
        write_submission(made, out)
        for note in made.notes:
            say(note)
        films, findings = len(made.format.images), len(made.format.columns)
        say(f"{out.name}: {TASK_FORMATS[challenge, task].name}, {films:,} images, {findings} findings, checked.")
