"""`check`: can these two files be evaluated?"""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import CenterColumn, IdColumn, Labels, Logits, PatientColumn, Scores, WeightColumn
from explorer.cli.say import say


def check(
    labels: Labels,
    scores: Scores,
    id_column: IdColumn = "image_id",
    logits: Logits = False,
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    weight_column: WeightColumn = None,
    every: Annotated[bool, typer.Option("--all", help="A line for each problem, however many are of a kind.")] = False,
) -> None:
    """Check whether two CSV files can be evaluated.

    Looks for images that only one file has, images given twice, findings without scores, columns that name no finding,
    and cells that are no label, no score from 0 to 1 or no weight. Problems are listed with line and image; of a kind
    with more than five the first two and their number, or with --all each.
    How a table is written - separators, encoding, decimal commas, words for labels - is recognized and told.

    \b
    Examples:
      python -m explorer check --labels labels.csv --scores scores.csv
      python -m explorer check --labels labels.csv --scores scores.csv --id-column "Image Index"

    \b
    Exit codes:
      0  no problem
      1  problems, listed on stderr
      2  wrong input: a file or an option that cannot be used
    """
    from explorer.cli.output import write
    from explorer.evaluation.cohort_metrics import Columns, read_cohort

    columns = Columns(id_column, center_column, patient_column, weight_column)
    with report_refusals():
        cohort = read_cohort(labels, scores, columns, "ignore", logits=logits, most=None, each=every)
        for note in cohort.notes:
            say(note, err=True)
        write(f"No problems: {len(cohort.labels):,} images, {len(cohort.findings)} findings.\n", None)
