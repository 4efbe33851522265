"""`check`: can these two files be evaluated?"""

from __future__ import annotations

from explorer.cli.ending import report_refusals
from explorer.cli.options import (
    CenterColumn,
    IdColumn,
    Labels,
    NotFindings,
    OwnFindings,
    PatientColumn,
    Scores,
    WeightColumn,
)
from explorer.cli.say import say


def check(
    labels: Labels,
    scores: Scores,
    id_column: IdColumn = "image_id",
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    weight_column: WeightColumn = None,
    finding: OwnFindings = None,
    not_finding: NotFindings = None,
) -> None:
    """Check whether two CSV files can be evaluated.

    Looks for images that only one file has, images given twice, findings without scores, columns that name no finding,
    and cells that are no label, no score from 0 to 1 or no weight. All problems are listed with line and image.
    A name that no taxonomy has is a finding where both files have such a column, one with labels, one with scores.

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
    from explorer.tabular.own_columns import Declared

    declared = Declared(finding or (), not_finding or ())
    columns = Columns(id_column, center_column, patient_column, weight_column, declared)
    with report_refusals():
        cohort = read_cohort(labels, scores, columns, "ignore", most=None)
        for note in cohort.notes:
            say(note, err=True)
        write(f"No problems: {len(cohort.labels):,} images, {len(cohort.findings)} findings.\n", None)
