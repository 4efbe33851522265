"""`evaluate`: the challenge's table from two files, or the leaderboard of models that have scored a cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.formats import Format
from explorer.cli.options import (
    LABELS,
    CenterColumn,
    IdColumn,
    Logits,
    NotFindings,
    OwnFindings,
    PatientColumn,
    PatientsPerCenter,
    Uncertain,
    WeightColumn,
    given,
    patient_ids,
)
from explorer.cli.say import say
from explorer.core.metric_plan import Grouping, Plan

Groups = Annotated[
    Grouping | None,
    typer.Option(
        help="Frequency groups: of CXR-LT 2026 (paper), or cut at 10 %, 1 %, 0.1 % on a table (cohort: yours). Without "
        "it paper, or cohort where CXR-LT 2026 has few of the findings.",
        show_default=False,
    ),
]


LabelsFile = Annotated[
    Path | None,
    typer.Option(help=LABELS),
]
ScoresFile = Annotated[Path | None, typer.Option(help="CSV of the same images and findings: scores from 0 to 1.")]
Cohort = Annotated[str | None, typer.Option(help="Instead of files: a cohort, whose models stand side by side.")]
Models = Annotated[
    list[str] | None,
    typer.Option("--model", help="A model that has scored the cohort; may be repeated. Differences are to the first."),
]
Where = Annotated[str, typer.Option(help='Films of the cohort that count, such as "center=B, with=Mass".')]
Natural = Annotated[bool, typer.Option("--natural", help="Each film of the cohort counts as often as nature has it.")]
Threshold = Annotated[float, typer.Option(min=0, max=1, help="A finding is called present where score >= threshold.")]
OperatingPoints = Annotated[
    Path | None,
    typer.Option(help="CSV of thresholds, columns finding and threshold: in place of --threshold, or of the model's."),
]
Resamples = Annotated[int, typer.Option(min=1, max=100_000, help="Bootstrap resamples behind the 95 % intervals.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the resamples: the same seed gives the same intervals.")]
Out = Annotated[Path | None, typer.Option(help="File to write, whole or not at all; without it, standard output.")]

OF_FILES = (
    *("labels", "scores", "id_column", "logits", "center_column", "patient_column", "patients_per_center"),
    *("weight_column", "finding", "not_finding", "uncertain", "threshold"),
)
OF_COHORTS = ("model", "where", "natural")


def evaluate(
    context: typer.Context,
    labels: LabelsFile = None,
    scores: ScoresFile = None,
    cohort: Cohort = None,
    model: Models = None,
    where: Where = "",
    natural: Natural = False,
    groups: Groups = None,
    id_column: IdColumn = "image_id",
    logits: Logits = False,
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    patients_per_center: PatientsPerCenter = False,
    weight_column: WeightColumn = None,
    finding: OwnFindings = None,
    not_finding: NotFindings = None,
    uncertain: Uncertain = "ignore",
    threshold: Threshold = 0.5,
    operating_points: OperatingPoints = None,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    output: Annotated[Format, typer.Option("--format", help="Format of the table.")] = "text",
    out: Out = None,
) -> None:
    """Make the challenge's table from two CSV files, or compare the models of a cohort.

    mAP, mAUROC, mF1, precision, recall and ECE with 95 % intervals: for all findings with and without Normal, each
    frequency group and each finding; for all images and for each center. n counts images with a known label, n+ those
    with the finding, least the fewest n+ of a line's findings. Means give every finding the same weight; findings
    without the metric are left out and counted.
    Both files are checked first, as `check` does.

    Columns are named after findings, in the spelling of any taxonomy of CXR-LT, CheXpert, NIH ChestX-ray14 or
    REVEAL-CXR. A name that no taxonomy has is a finding where both files have such a column, one with labels and one
    with scores: what was taken so is told. Images are resampled, or patients with all their images where
    --patient-column is given: the same identifier at two centers is one patient, or with --patients-per-center two.

    With --weight-column each metric comes weighted too, interval and all: at natural prevalence, where rare findings
    were collected on purpose and an image's weight says how often nature has such a one for each time it is here.

    With --cohort the models stand side by side on the films that all of them scored, from what is cached: no film is
    read. Beside the metrics stand differences to the first model on the same resamples of patients, p adjusted for the
    number of models, how often each model is the best, and the best model of each finding. F1, precision and recall
    are at each model's own thresholds, or at those that you chose for it, see `thresholds`. --operating-points names
    others for a single model. --where takes every filter of Explore; all findings are measured on the films with such a
    pair, and outcomes and scores are those of the first model.

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
    from explorer.cli.output import writable, write

    _one_way(context, cohort)
    with report_refusals():
        if cohort is not None:
            from explorer.cli.leaderboard import Asked, board_text

            if out is not None:
                writable(out)
            wanted = Asked(cohort, tuple(model or ()), where, groups, resamples, seed, natural, operating_points)
            write(board_text(wanted, output), out)
            return
        from explorer.analysis.challenge_table.cohort_metrics import Columns, read_cohort
        from explorer.analysis.challenge_table.metric_table import evaluate as table_of
        from explorer.cli.formats import text_of
        from explorer.cli.progress import tracked
        from explorer.core.groups import groups_of, no_group_words, usual_source
        from explorer.ingest.given_thresholds import read_thresholds
        from explorer.tabular.own_columns import Declared

        if operating_points is not None and given(context, "threshold"):
            raise typer.BadParameter("--operating-points stand in place of --threshold. Leave one of the two out.")
        if labels is None or scores is None:
            raise typer.BadParameter("Name --labels and --scores, or a --cohort.")
        if out is not None:
            writable(out, labels, scores, *([operating_points] if operating_points else []))
        declared = Declared(finding or (), not_finding or ())
        ids = patient_ids(patients_per_center, patient_column, center_column)
        columns = Columns(id_column, center_column, patient_column, weight_column, ids, declared)
        read = read_cohort(labels, scores, columns, uncertain, logits=logits)
        own = None if operating_points is None else read_thresholds(operating_points, own=read.findings)
        for note in (*read.notes, *(own.notes if own else ())):
            say(note, err=True)
        points = own.values if own else None
        plan = Plan(groups or usual_source(read.findings), uncertain, threshold, resamples, seed, points)
        by_source = dict(zip(read.findings, groups_of(read.findings, read.labels, plan.grouping), strict=True))
        if (words := no_group_words(by_source, plan.grouping)) is not None:
            say(words, err=True)
        table = table_of(read, plan, tracked)
        write(text_of(table, output), out)


def _one_way(context: typer.Context, cohort: str | None) -> None:
    """Raises typer.BadParameter for an option of files beside a cohort, or one of cohorts without it."""
    named = [name for name in (OF_COHORTS if cohort is None else OF_FILES) if given(context, name)]
    if not named:
        return
    option = "--" + named[0].replace("_", "-")
    if cohort is None:
        raise typer.BadParameter(f"{option} is of a cohort's models. Name the cohort too: --cohort NAME.")
    raise typer.BadParameter(f"{option} is of two CSV files, not of a cohort. Leave one of the two out.")
