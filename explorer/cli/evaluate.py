"""`evaluate`: the challenge's metrics table from two files, or a leaderboard of models on one cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.compare import IntervalsOption
from explorer.cli.ending import report_refusals
from explorer.cli.formats import Format
from explorer.cli.options import (
    LABELS_HELP,
    CenterColumn,
    IdColumn,
    Logits,
    Long,
    NotFindings,
    OwnFindings,
    PatientColumn,
    PatientsPerCenter,
    Uncertain,
    WeightColumn,
    given,
    patient_ids,
    scores_in_rows,
)
from explorer.cli.say import say
from explorer.core.metric_plan import Grouping, Plan

GroupsOption = Annotated[
    Grouping | None,
    typer.Option(
        help="Frequency groups: those of CXR-LT 2026 (paper), or cut at 10 %, 1 % and 0.1 % in a table (cohort: "
        "yours). Default: paper, or cohort if CXR-LT 2026 has few of the findings.",
        show_default=False,
    ),
]


LabelsFile = Annotated[
    Path | None,
    typer.Option(help=LABELS_HELP),
]
ScoresFile = Annotated[Path | None, typer.Option(help="CSV of scores from 0 to 1 for the same images and findings.")]
CohortOption = Annotated[str | None, typer.Option(help="Compare the models of this cohort, in place of two files.")]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="A model that has scored the cohort; repeatable. Differences are to the first."),
]
WhereOption = Annotated[str, typer.Option(help='Films of the cohort to include, such as "center=B, with=Mass".')]
Natural = Annotated[bool, typer.Option("--natural", help="Weight the cohort's films to natural prevalence.")]
ThresholdOption = Annotated[float, typer.Option(min=0, max=1, help="Called present if score >= threshold.")]
OperatingPoints = Annotated[
    Path | None,
    typer.Option(help="CSV with columns finding and threshold; replaces --threshold or the model's own thresholds."),
]
ResamplesOption = Annotated[int, typer.Option(min=1, max=100_000, help="Bootstrap resamples for the 95 % intervals.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed of the resamples, for reproducible intervals.")]
MinPositives = Annotated[
    int, typer.Option(min=0, help="Means leave out findings with fewer positives on their images.")
]
Out = Annotated[Path | None, typer.Option(help="File to write; standard output by default.")]

FILE_OPTIONS = (
    *("labels", "scores", "id_column", "long", "logits", "center_column", "patient_column", "patients_per_center"),
    *("weight_column", "finding", "not_finding", "uncertain", "threshold"),
)
COHORT_OPTIONS = ("model", "where", "natural")


def evaluate(
    context: typer.Context,
    labels: LabelsFile = None,
    scores: ScoresFile = None,
    cohort: CohortOption = None,
    model: Models = None,
    where: WhereOption = "",
    natural: Natural = False,
    groups: GroupsOption = None,
    id_column: IdColumn = "image_id",
    long: Long = "",
    logits: Logits = False,
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    patients_per_center: PatientsPerCenter = False,
    weight_column: WeightColumn = None,
    finding: OwnFindings = None,
    not_finding: NotFindings = None,
    uncertain: Uncertain = "ignore",
    threshold: ThresholdOption = 0.5,
    operating_points: OperatingPoints = None,
    resamples: ResamplesOption = 1000,
    seed: Seed = 0,
    min_positives: MinPositives = 0,
    intervals: IntervalsOption = "percentile",
    output: Annotated[Format, typer.Option("--format", help="Format of the table.")] = "text",
    out: Out = None,
) -> None:
    """Compute the challenge's metrics from two CSV files, or compare the models of a cohort.

    mAP, mAUROC, mF1, precision, recall and ECE with 95 % intervals: for all findings with and without Normal, for each
    frequency group and finding; over all images and at each center. n counts images with a known label, n+ those with
    the finding, least the smallest n+ among a line's findings. Means weight findings equally; findings for which the
    metric is undefined are left out and counted.
    Both files are checked first, as `check` does.

    Columns are named after findings, in the spelling of any taxonomy of CXR-LT, CheXpert, NIH ChestX-ray14 or
    REVEAL-CXR. A name that no taxonomy has counts as a finding if both files have the column, one with labels, one with
    scores; such columns are reported. Images are resampled one by one, or by patient if --patient-column is given: the
    same identifier at two centers is one patient, with --patients-per-center two.

    --weight-column adds weighted metrics with intervals. They hold at natural prevalence if rare findings were
    oversampled and an image's weight is its natural frequency divided by its frequency in the file.

    --cohort compares models on the films that all of them scored, from cached scores: no film is read. It adds
    differences to the first model on the same resamples of patients, p values adjusted for the number of models, how
    often each model ranks first, and the best model of each finding. F1, precision and recall use each model's own
    thresholds, or those you chose with `thresholds`; --operating-points gives others for a single model. --where takes
    every filter of Explore. It selects films, on which all findings are then measured; outcomes and scores in a filter
    are those of the first model.

    \b
    Examples:
      python -m explorer evaluate --labels labels.csv --scores scores.csv
      python -m explorer evaluate --labels labels.csv --scores scores.csv \\
          --center-column center --patient-column patient --format latex --out table.tex
      python -m explorer evaluate --cohort phantom --model phantom --model lab-crt-0 --where "center=B, view=AP"

    \b
    Exit codes:
      0  done
      1  problems in the files: counted on stderr, and the first 20 listed
      2  wrong input: a file, a name or an option that cannot be used
    """
    from explorer.cli.output import writable, write_result

    _check_options(context, cohort)
    with report_refusals():
        if cohort is not None:
            from explorer.cli.leaderboard import BoardRequest, board_text

            if out is not None:
                writable(out)
            drawn = resamples, seed, natural, operating_points, min_positives, intervals
            wanted = BoardRequest(cohort, tuple(model or ()), where, groups, *drawn)
            write_result(board_text(wanted, output), out)
            return
        from explorer.analysis.challenge_table.cohort_metrics import ColumnNames, read_cohort
        from explorer.analysis.challenge_table.metric_table import evaluate_cohort as table_of
        from explorer.cli.formats import format_table
        from explorer.cli.progress import tracked
        from explorer.core.groups import default_group_source, frequency_groups, missing_groups_note
        from explorer.ingest.given_thresholds import read_thresholds
        from explorer.tabular.notes import Notes
        from explorer.tabular.own_columns import Declared

        if operating_points is not None and given(context, "threshold"):
            raise typer.BadParameter("--operating-points replaces --threshold. Leave one of them out.")
        if labels is None or scores is None:
            raise typer.BadParameter("Give --labels and --scores, or --cohort.")
        if out is not None:
            writable(out, labels, scores, *([operating_points] if operating_points else []))
        declared = Declared(finding or (), not_finding or ())
        ids = patient_ids(patients_per_center, patient_column, center_column)
        columns = ColumnNames(id_column, center_column, patient_column, weight_column, ids, declared)
        pivoted = Notes()
        with scores_in_rows(scores, id_column, long, pivoted) as wide:
            read = read_cohort(labels, wide, columns, uncertain, logits=logits)
        own = None if operating_points is None else read_thresholds(operating_points, own=read.findings)
        for note in (*map(str, pivoted), *read.notes, *(own.notes if own else ())):
            say(note, err=True)
        points = own.values if own else None
        grouping = groups or default_group_source(read.findings)
        plan = Plan(grouping, uncertain, threshold, resamples, seed, points, min_positives, intervals)
        by_source = dict(zip(read.findings, frequency_groups(read.findings, read.labels, plan.grouping), strict=True))
        if (words := missing_groups_note(by_source, plan.grouping)) is not None:
            say(words, err=True)
        table = table_of(read, plan, tracked)
        write_result(format_table(table, output), out)


def _check_options(context: typer.Context, cohort: str | None) -> None:
    """Raises typer.BadParameter for a file option beside a cohort, or a cohort option without one."""
    named = [name for name in (COHORT_OPTIONS if cohort is None else FILE_OPTIONS) if given(context, name)]
    if not named:
        return
    option = "--" + named[0].replace("_", "-")
    if cohort is None:
        raise typer.BadParameter(f"{option} applies to a cohort. Give the cohort too: --cohort NAME.")
    raise typer.BadParameter(f"{option} applies to two CSV files, not to a cohort. Leave one of them out.")
