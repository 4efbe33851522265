"""`submit`: the file of scores that a task of CXR-LT 2026 asks for, checked without labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

Like = Annotated[
    Path | None,
    typer.Option(help="A sample (CSV): its header, and where it has images, these alone in their order."),
]


def submit(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored it.")],
    task: Annotated[int, typer.Option(min=1, max=2, help="1: the 30 seen findings; 2: the 6 unseen ones.")],
    out: Annotated[Path, typer.Option(help="ZIP with the CSV in it, or a CSV, by its ending.")],
    like: Like = None,
    id_column: Annotated[str, typer.Option(help="The sample's column of images; without such a one its first.")] = (
        "ImageID"
    ),
) -> None:
    """Write the file of scores that a task of CXR-LT 2026 asks for, from what is cached: no film is read.

    The file is checked before it gets its name: columns and rows, their order, missing and repeated images, scores
    from 0 to 1. No label is needed. A model that lacks a finding and films without a score are refused, with their
    number and the command that makes them.

    \b
    Examples:
      python -m explorer submit --cohort phantom --model phantom --task 1 --out submission.zip
      python -m explorer submit --cohort phantom --model phantom-vlm --task 2 --like sample.csv --out task2.csv
      python -m explorer check --scores submission.zip --like sample.csv

    \b
    Exit codes:
      0  done
      1  the file is not as it should be: nothing is written
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
            check_names(store, cohort, [model])
            made = submission_of(store, cohort, model, task, sample)
        write_submission(made, out)
        for note in made.notes:
            say(note)
        films, findings = len(made.format.images), len(made.format.columns)
        say(f"{out.name}: task {task}, {films:,} images, {findings} findings, checked.")
