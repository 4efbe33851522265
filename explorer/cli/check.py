"""`check`: can these two files be evaluated?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import (
    LABELS,
    CenterColumn,
    IdColumn,
    Logits,
    NotFindings,
    OwnFindings,
    PatientColumn,
    PatientsPerCenter,
    Scores,
    WeightColumn,
    given,
    patient_ids,
)
from explorer.cli.say import say


def check(
    context: typer.Context,
    scores: Scores,
    labels: Annotated[Path | None, typer.Option(help=LABELS)] = None,
    like: Annotated[
        Path | None,
        typer.Option(
            help="Instead of labels: a sample (CSV) of what --scores, a CSV or a ZIP with one, is to look like."
        ),
    ] = None,
    id_column: IdColumn = "image_id",
    logits: Logits = False,
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    patients_per_center: PatientsPerCenter = False,
    weight_column: WeightColumn = None,
    finding: OwnFindings = None,
    not_finding: NotFindings = None,
    every: Annotated[bool, typer.Option("--all", help="A line for each problem, however many are of a kind.")] = False,
) -> None:
    """Check whether two CSV files can be evaluated, or whether a file of scores looks like a sample.

    Looks for images that only one file has, images with two rows of scores, findings without scores, columns that name
    no finding, and cells that are no label, no score from 0 to 1 or no weight. Several rows of labels of one image are
    united: a finding is present where any says so. Odd scores - all the same, 0 and 1 alone, upside down - are told.
    Problems are listed with line and image; of a kind with more than five the first two and their number, or with --all
    each.
    A name that no taxonomy has is a finding where both files have such a column, one with labels, one with scores.
    How a table is written - separators, encoding, decimal commas, words for labels - is recognized and told.

    With --like no label is needed: columns and rows, their names and order, missing, surplus and repeated images,
    scores from 0 to 1. The sample's column of images is --id-column, or where there is none of that name its first.

    \b
    Examples:
      python -m explorer check --labels labels.csv --scores scores.csv
      python -m explorer check --labels labels.csv --scores scores.csv --id-column "Image Index"
      python -m explorer check --scores submission.zip --like sample.csv

    \b
    Exit codes:
      0  no problem
      1  problems, listed on stderr
      2  wrong input: a file or an option that cannot be used
    """
    from explorer.analysis.challenge_table.cohort_metrics import Columns, read_cohort
    from explorer.cli.output import write
    from explorer.tabular.own_columns import Declared

    with report_refusals():
        if like is not None:
            _check_like(context, scores, like, id_column, each=every)
            return
        if labels is None:
            raise typer.BadParameter("Name --labels, to evaluate scores, or --like, a sample of what they are to be.")
        declared = Declared(finding or (), not_finding or ())
        ids = patient_ids(patients_per_center, patient_column, center_column)
        columns = Columns(id_column, center_column, patient_column, weight_column, ids, declared)
        cohort = read_cohort(labels, scores, columns, "ignore", logits=logits, most=None, each=every)
        for note in cohort.notes:
            say(note, err=True)
        write(f"No problems: {len(cohort.labels):,} images, {len(cohort.findings)} findings.\n", None)


def _check_like(context: typer.Context, scores: Path, like: Path, image: str, *, each: bool) -> None:
    """Raises FailedChecks, WrongInput; typer.BadParameter for an option that is of two files."""
    from explorer.cli.output import write
    from explorer.tabular.problems import Problems
    from explorer.tabular.submission_file import check_submission, read_format

    apart = ("center_column", "patient_column", "patients_per_center", "weight_column", "finding", "not_finding")
    for name in ("labels", "logits", *apart):
        if given(context, name):
            raise typer.BadParameter(f"--{name.replace('_', '-')} is not of a sample. Leave it or --like out.")
    problems = Problems(None, each)
    wanted = read_format(like, image)
    rows = check_submission(scores, wanted, problems)
    problems.refuse()
    write(f"No problems: {rows:,} images, {len(wanted.columns)} columns of scores, as in {wanted.name}.\n", None)
