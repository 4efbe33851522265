"""`check`: test whether two files can be evaluated."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import (
    LABELS_HELP,
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
    labels: Annotated[Path | None, typer.Option(help=LABELS_HELP)] = None,
    like: Annotated[
        Path | None,
        typer.Option(
            help="A sample (CSV) of the required format, in place of labels; --scores may be a CSV or a zipped CSV."
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
    every: Annotated[bool, typer.Option("--all", help="List every problem, not just examples of each kind.")] = False,
) -> None:
    """Check that two CSV files can be evaluated, or that a file of scores matches a sample.

    Reports images that only one file has, images with two rows of scores, findings without scores, columns that name
    no finding, and cells that are not a label, a score from 0 to 1 or a weight. Several label rows of one image are
    merged: a finding is present if any row says so. Odd scores (constant, only 0 and 1, inverted) are reported.
    Problems are listed with line and image. If a kind occurs more than five times, the first two and the count are
    shown; --all lists every one.
    A name that no taxonomy has counts as a finding if both files have the column, one with labels, one with scores.
    Separators, encoding, decimal commas and words for labels are recognized and reported.

    --like needs no labels. It compares the names and order of columns and rows, looks for missing, extra and repeated
    images, and checks that scores lie between 0 and 1. The sample's image column is --id-column, or else its first.

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
    from explorer.analysis.challenge_table.cohort_metrics import ColumnNames, read_cohort
    from explorer.cli.output import write_result
    from explorer.tabular.own_columns import Declared

    with report_refusals():
        if like is not None:
            _check_like(context, scores, like, id_column, each=every)
            return
        if labels is None:
            raise typer.BadParameter("Give --labels to evaluate scores, or --like to compare them with a sample.")
        declared = Declared(finding or (), not_finding or ())
        ids = patient_ids(patients_per_center, patient_column, center_column)
        columns = ColumnNames(id_column, center_column, patient_column, weight_column, ids, declared)
        cohort = read_cohort(labels, scores, columns, "ignore", logits=logits, most=None, each=every)
        for note in cohort.notes:
            say(note, err=True)
        write_result(f"No problems: {len(cohort.labels):,} images, {len(cohort.findings)} findings.\n", None)


def _check_like(context: typer.Context, scores: Path, like: Path, image: str, *, each: bool) -> None:
    """Raises FailedChecks, WrongInput; typer.BadParameter for an option that only makes sense with two files."""
    from explorer.cli.output import write_result
    from explorer.tabular.problems import Problems
    from explorer.tabular.submission_file import check_submission, read_format

    two_file_options = (
        "center_column",
        "patient_column",
        "patients_per_center",
        "weight_column",
        "finding",
        "not_finding",
    )
    for name in ("labels", "logits", *two_file_options):
        if given(context, name):
            raise typer.BadParameter(f"--{name.replace('_', '-')} does not apply to a sample. Leave out it or --like.")
    problems = Problems(None, each)
    wanted = read_format(like, image)
    rows = check_submission(scores, wanted, problems)
    problems.refuse()
    write_result(f"No problems: {rows:,} images, {len(wanted.columns)} columns of scores, as in {wanted.name}.\n", None)
