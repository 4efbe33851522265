"""`evaluate`: the challenge's table from a file of labels and a file of scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.formats import Format
from explorer.cli.options import CenterColumn, IdColumn, Labels, PatientColumn, Scores, Uncertain, WeightColumn
from explorer.cli.say import say
from explorer.core.metric_plan import Grouping, Plan

Groups = Annotated[
    Grouping,
    typer.Option(
        help="Frequency groups: of CXR-LT 2026 (paper), or cut at 10 %, 1 %, 0.1 % on a table (cohort: yours)."
    ),
]


Threshold = Annotated[float, typer.Option(min=0, max=1, help="A finding is called present where score >= threshold.")]
Resamples = Annotated[int, typer.Option(min=1, max=100_000, help="Bootstrap resamples behind the 95 % intervals.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the resamples: the same seed gives the same intervals.")]
Out = Annotated[Path | None, typer.Option(help="File to write, whole or not at all; without it, standard output.")]


def evaluate(
    labels: Labels,
    scores: Scores,
    groups: Groups = "paper",
    id_column: IdColumn = "image_id",
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    weight_column: WeightColumn = None,
    uncertain: Uncertain = "ignore",
    threshold: Threshold = 0.5,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    output: Annotated[Format, typer.Option("--format", help="Format of the table.")] = "text",
    out: Out = None,
) -> None:
    """Make the challenge's table from two CSV files.

    mAP, mAUROC, mF1, precision, recall and ECE with 95 % intervals: for all findings with and without Normal, each
    frequency group and each finding; for all images and for each center. n counts images with a known label, n+ those
    with the finding, least the fewest n+ of a line's findings. Means give every finding the same weight; findings
    without the metric are left out and counted.
    Both files are checked first, as `check` does.

    Columns are named after findings, in the spelling of any taxonomy of CXR-LT, CheXpert, NIH ChestX-ray14 or
    REVEAL-CXR. Images are resampled, or patients with all their images where --patient-column is given.

    With --weight-column each metric comes weighted too, interval and all: at natural prevalence, where rare findings
    were collected on purpose and an image's weight says how often nature has such a one for each time it is here.

    \b
    Examples:
      python -m explorer evaluate --labels labels.csv --scores scores.csv
      python -m explorer evaluate --labels labels.csv --scores scores.csv \\
          --center-column center --patient-column patient --format latex --out table.tex

    \b
    Exit codes:
      0  done
      1  problems in the files: counted on stderr, and the first 20 listed
      2  wrong input: a file or an option that cannot be used
    """
    from explorer.cli.formats import text_of
    from explorer.cli.output import writable, write
    from explorer.cli.progress import tracked
    from explorer.evaluation.cohort_metrics import Columns, read_cohort
    from explorer.evaluation.metric_table import evaluate as table_of

    with report_refusals():
        if out is not None:
            writable(out, labels, scores)
        cohort = read_cohort(
            labels, scores, Columns(id_column, center_column, patient_column, weight_column), uncertain
        )
        for note in cohort.notes:
            say(note, err=True)
        table = table_of(cohort, Plan(groups, uncertain, threshold, resamples, seed), tracked)
        write(text_of(table, output), out)
