"""`ingest`: make cohorts from tables, folders, NIH's download or scores made elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import (
    CenterColumn,
    IdColumn,
    Logits,
    Long,
    NotFindings,
    OwnFindings,
    PatientColumn,
    PatientsPerCenter,
    patient_ids,
    scores_in_rows,
)
from explorer.cli.say import say, warn
from explorer.ingest.blank_labels import Blank
from explorer.ingest.example import MAP_TOML_EXAMPLE

if TYPE_CHECKING:
    from explorer.ingest.entries import ImportSource
    from explorer.ingest.make_cohort import IngestReport

EXIT_CODES = """\b
Exit codes:
  0  done; rejected rows and films are counted, and listed in rejects.csv in the cohort's folder
  1  rows or columns are wrong, nothing usable is left, or more than 5 % was rejected: the cohort is then made
     without them (0 with --accept-rejects)
  2  wrong input: a file, a name or an option that cannot be used"""
CSV_HELP = f"""Make a cohort from a table of images.

\b
Example: python -m explorer ingest csv --table T.csv --images films/ --columns map.toml --blank absent --out mine

map.toml assigns a meaning to each column; only image_id is required:

\b
{MAP_TOML_EXAMPLE.strip().replace(chr(10) * 2, chr(10))}

Rejected and listed: rows without an identifier, with a repeated identifier, with a cell that is not a label, or with
Normal and a finding at once (Support Devices may accompany Normal); and images that are missing, are not a film, have
a single gray value, or have the same bytes as an earlier one. Only the beginning of each film is read; `score` finds
damage further on. Without --images, no film is looked for.
A row of zeros is a film with none of the listed findings. It is kept and counted, also if Normal is 0, or if its only
finding has a name that Tailscope does not know (--reject-all-zero rejects such rows). A blank concerns its finding
only; the row is kept. A row with an empty list of findings has no labels, whatever a blank means. Lateral films are
kept, with their view.
Labels given per study come in a table of their own: --study-labels joins them to the films by the study, a column that
map.toml names or that is called study_id, StudyInstanceUID, accession number or the like.
--reports labels the films from their reports, in a column of --table or in text files named after film or study. If the
table also has labels, those of the reports are a second label source. docs/reports.md has the rules.
An interrupted run continues where it stopped.
Semicolons, tabs, UTF-16, yes and no, NA and the like are recognized and reported.

{EXIT_CODES}
"""

ingest = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Make a cohort from your own films, tables or scores; it is saved under TAILSCOPE_HOME.",
)

Out = Annotated[str, typer.Option(help="Name of the cohort: lowercase letters, digits, dots, hyphens, underscores.")]
RejectAllZero = Annotated[
    bool, typer.Option("--reject-all-zero", help="Reject rows in which every finding is 0; by default they are kept.")
]
AcceptRejects = Annotated[
    bool, typer.Option("--accept-rejects", help="Exit with 0 even if more than 5 % had to be rejected.")
]
Replace = Annotated[bool, typer.Option("--replace", help="Replace an existing cohort or model of this name.")]
Relabel = Annotated[
    bool, typer.Option("--replace-labels", help="Replace only the labels of this cohort: films and scores stay.")
]
BlankMeans = Annotated[Blank, typer.Option(help="How to count a finding that a row leaves blank.")]
StudyLabels = Annotated[
    Path | None,
    typer.Option(help="CSV file of labels with one row per study; --table then lists the films and has no labels."),
]
LabelsOnly = Annotated[
    bool, typer.Option("--labels-only", help="Import only the labels: no film is looked for, and none can be scored.")
]
Reports = Annotated[
    str | None,
    typer.Option(help="Label the films from their reports: a column of --table, or a folder of text files."),
]
ReportRulesOption = Annotated[
    str, typer.Option("--report-rules", help="Rules for the reports: english, spanish (experimental), or a TOML file.")
]
Root = Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder of the download.")]


@ingest.command("csv", help=CSV_HELP)
def csv(
    table: Annotated[Path, typer.Option(help="CSV file, one row per image.")],
    columns: Annotated[Path, typer.Option(help="TOML file that assigns a meaning to each column.")],
    out: Out,
    images: Annotated[Path | None, typer.Option(exists=True, file_okay=False, help="Folder of the films.")] = None,
    study_labels: StudyLabels = None,
    reports: Reports = None,
    report_rules: ReportRulesOption = "english",
    blank: BlankMeans = "unknown",
    reject_all_zero: RejectAllZero = False,
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
    relabel: Relabel = False,
) -> None:
    from dataclasses import replace as replaced

    from explorer.cli.report_rules import chosen_rules, with_reports
    from explorer.ingest.columns import read_columns
    from explorer.ingest.label_table import read_label_table
    from explorer.ingest.study_labels import read_with_study_labels

    check_relabel(relabel, replace or images)
    with report_refusals():
        meaning = read_columns(columns)
        if reports is not None:
            rules = chosen_rules(report_rules)
            meaning = replaced(meaning, passed_over=(*meaning.passed_over, reports))

        def read_labels() -> ImportSource:
            if study_labels is not None:
                return read_with_study_labels(table, study_labels, meaning, blank, reject_all_zero=reject_all_zero)
            return read_label_table(table, meaning, blank, reject_all_zero=reject_all_zero)

        def read() -> ImportSource:
            source = read_labels()
            return source if reports is None else with_reports(source, reports, rules, table, meaning.image_id)

        _make(read, out, images, replace, accept_rejects, relabel)


@ingest.command("nih")
def nih(
    root: Root,
    out: Out = "nih",
    labels_only: LabelsOnly = False,
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
    relabel: Relabel = False,
) -> None:
    """Make a cohort from NIH ChestX-ray14, with its boxes if they were downloaded.

    The folder holds NIH's Data_Entry_2017.csv and the images in any subfolder, or labels.csv with their paths. A
    finding that NIH does not name on a film is absent. Rows and films are checked as `ingest csv` does.

    \b
    Example: python -m explorer ingest nih --root /data/nih
    """
    from explorer.ingest.nih import read_nih

    check_relabel(relabel, replace)
    with report_refusals():
        _make(lambda: read_nih(root), out, None if labels_only else root, replace, accept_rejects, relabel)


@ingest.command("folder")
def folder(
    films: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="Folder of films.")],
    out: Out,
    center: Annotated[str | None, typer.Option(help="The center that all films come from.")] = None,
    reports: Annotated[str | None, typer.Option(help="Label the films from a folder of text files.")] = None,
    report_rules: ReportRulesOption = "english",
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
) -> None:
    """Make a cohort from a folder of films, named by their paths, with labels from their reports or without labels.

    Without labels, scores can show a shift, not accuracy. Reports are text files, each named after its film.

    Of DICOM files, the headers give view, sex and age, and which films share a patient and a study: these are numbered.

    Labels can follow: `ingest csv --replace-labels` adds them from a table that names the films.

    \b
    Example: python -m explorer ingest folder /data/films --out films
    """
    from explorer.cli.report_rules import chosen_rules, with_reports
    from explorer.ingest.folder import read_folder

    with report_refusals():
        rules = None if reports is None else chosen_rules(report_rules)

        def read() -> ImportSource:
            source = read_folder(films, center)
            return source if reports is None or rules is None else with_reports(source, reports, rules)

        _make(read, out, films, replace, accept_rejects)


def check_relabel(relabel: bool, other: object) -> None:
    """Refuse --replace-labels together with an option that would bring other films."""
    if relabel and other:
        raise typer.BadParameter("--replace-labels keeps the films. Leave --replace and --images out.")


def _make(
    read: Callable[[], ImportSource],
    out: str,
    root: Path | None,
    replace: bool,
    accept_rejects: bool,
    relabel: bool = False,
) -> None:
    from explorer.cli.time_left import time_left
    from explorer.ingest.make_cohort import make_cohort
    from explorer.ingest.new_labels import replace_labels

    if relabel:
        say_report(replace_labels(read, out), accept_rejects)
        return
    with time_left("films looked at") as progress:
        report = make_cohort(read, out, root, replace=replace, progress=progress)
    say_report(report, accept_rejects)


def say_report(report: IngestReport, accept_rejects: bool) -> None:
    """Print what was imported; exit with 1 if too much was rejected, unless that is accepted."""
    from explorer.ingest.report import report_text, too_many_rejected

    say(report_text(report), nl=False)
    _exit_on_rejects([too_many_rejected(report)], accept_rejects)


def _exit_on_rejects(warnings: Sequence[str | None], accept_rejects: bool) -> None:
    """Exit with 1 if too much was rejected, unless that is accepted."""
    shown = [] if accept_rejects else [warning for warning in warnings if warning is not None]
    for warning in shown:
        warn(warning)
    if shown:
        raise typer.Exit(1)


@ingest.command("predictions")
def predictions(
    scores: Annotated[
        Path, typer.Argument(help="CSV of scores from 0 to 1: one row per image, one column per finding.")
    ],
    model: Annotated[str, typer.Option(help="Name for the model that made the scores.")],
    cohort: Annotated[str | None, typer.Option(help="The existing cohort that the images belong to.")] = None,
    labels: Annotated[Path | None, typer.Option(help="CSV of labels for a new cohort: 1, 0, -1, blank.")] = None,
    out: Annotated[str | None, typer.Option(help="Name of the new cohort.")] = None,
    id_column: IdColumn = "image_id",
    long: Long = "",
    logits: Logits = False,
    center_column: CenterColumn = None,
    patient_column: PatientColumn = None,
    patients_per_center: PatientsPerCenter = False,
    finding: OwnFindings = None,
    not_finding: NotFindings = None,
    blank: BlankMeans = "unknown",
    reject_all_zero: RejectAllZero = False,
    threshold: Annotated[float, typer.Option(min=0, max=1, help="Called present if score >= threshold.")] = 0.5,
    operating_points: Annotated[
        Path | None, typer.Option(help="CSV with columns finding and threshold, in place of --threshold.")
    ] = None,
    in_sample: Annotated[
        list[str] | None, typer.Option(help="A center whose films the model was trained on. Repeatable.")
    ] = None,
    internal: Annotated[
        list[str] | None, typer.Option(help="A center whose other patients the model was trained on. Repeatable.")
    ] = None,
    external: Annotated[list[str] | None, typer.Option(help="A center the model never saw. Repeatable.")] = None,
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
) -> None:
    """Import scores that were made elsewhere. No model and no image is needed.

    --cohort adds them to an existing cohort, shipped ones included; --labels and --out make a new cohort.
    If you have more than centers and patients, make the cohort first with `ingest csv`, without --images.
    A model's name may have capitals: it is stored in lower case, and commands take it in any.
    A name that no taxonomy has counts as a finding if the cohort has it, if both files have the column, one with labels
    and one with scores, or if --finding names it. What was accepted and what was not is reported.

    \b
    Examples:
      python -m explorer ingest predictions S.csv --model ours --cohort nih-oof --operating-points P.csv
      python -m explorer ingest predictions S.csv --model ours --labels L.csv --out ours-test --center-column center
    """
    if (cohort is None) == (labels is None) or (labels is None) != (out is None):
        raise typer.BadParameter("Give either --cohort, or --labels and --out.")
    ids = patient_ids(patients_per_center, patient_column, center_column)
    from dataclasses import replace as replace_path

    from explorer.cli.prepared import prepare_now
    from explorer.ingest.given_thresholds import read_thresholds, uniform_thresholds
    from explorer.ingest.predictions import GivenScores, origins_of, read_scores_file
    from explorer.ingest.report import report_text, scores_text, too_many_rejected, too_many_strangers
    from explorer.ingest.scored_cohort import add_scores, columns_of_cohort, make_scored_cohort, own_column_map
    from explorer.tabular.notes import Notes
    from explorer.tabular.own_columns import Declared, shared_columns

    with report_refusals():
        notes, declared = Notes(), Declared(finding or (), not_finding or ())
        with scores_in_rows(scores, id_column, long, notes) as wide:
            if labels is None:
                own = columns_of_cohort(cohort or "", declared)
            else:
                id_columns = [name for name in (id_column, center_column, patient_column) if name is not None]
                own = shared_columns(labels, wide, id_columns, declared, logits=logits)
            sheet = replace_path(read_scores_file(wide, id_column, notes, own, logits=logits), path=scores)
        if operating_points is None:
            thresholds = uniform_thresholds(list(sheet.columns), threshold)
        else:
            thresholds = read_thresholds(operating_points, own=sheet.columns)
        origins = origins_of(in_sample or (), internal or (), external or ())
        given = GivenScores(sheet, thresholds, model.lower(), origins, title=model)
        report = None
        if cohort is not None:
            scored = add_scores(given, cohort, replace=replace)
        elif labels is not None and out is not None:
            columns = own_column_map(
                labels,
                own,
                image_id=id_column,
                center=center_column,
                patient=patient_column,
                patients=ids,
            )
            report, scored = make_scored_cohort(
                given, labels, columns, blank, out, reject_all_zero=reject_all_zero, replace=replace
            )
            say(report_text(report), nl=False)
        say(scores_text(scored, sheet, (*notes, *thresholds.notes)), nl=False)
        prepare_now(cohort or out or "", [scored.manifest.model])
        rejected = too_many_rejected(report) if report else None
        _exit_on_rejects([rejected, too_many_strangers(scored, sheet, report)], accept_rejects)
