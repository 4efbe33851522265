"""`ingest predictions`: adds scores to an existing cohort, or makes a new one from labels and scores alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from explorer.cohorts import layout
from explorer.cohorts.layout import checked_name
from explorer.cohorts.own_findings import cohort_findings
from explorer.core.finding_names import match_finding
from explorer.core.finding_words import finding_of, plain
from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.label_table import read_label_table
from explorer.ingest.make_cohort import IngestReport, make_cohort
from explorer.ingest.predictions import GivenScores, ImportedScores, imported_scores_folder, write_given_scores
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.notes import Notes
from explorer.tabular.own_columns import Declared, OwnColumns, declared_names
from explorer.tabular.patient_names import PatientIds


def add_scores(scores: GivenScores, cohort: str, *, replace: bool) -> ImportedScores:
    """Add scores to the cohort of this name. Raises NoCohort, WrongInput."""
    folder = layout.cohort_folder(cohort)
    return write_given_scores(folder, imported_scores_folder(folder, scores.model, replace=replace), scores)


def columns_of_cohort(cohort: str, declared: Declared) -> OwnColumns:
    """Return the extra column names that are findings in scores of a cohort: its own and the declared ones.

    Raises NoCohort, DamagedCohort, WrongInput.
    """
    named = declared_names(declared.findings)
    own = [name for name in cohort_findings(layout.cohort_folder(cohort)) if finding_of(name) is None]
    return OwnColumns((*own, *named), named, others=tuple(declared.others))


def own_column_map(
    labels: Path,
    own: OwnColumns,
    image_id: str,
    center: str | None,
    patient: str | None,
    patients: PatientIds = "across centers",
) -> ColumnMap:
    """Return a ColumnMap for a file of labels, including columns that are findings of their own. Raises WrongInput."""
    with csv_rows(labels, (image_id,), Notes()) as (names, _):
        columns = {name.strip(): found for name in names if (found := _own_finding(name, own)) is not None}
    return ColumnMap(
        image_id=image_id,
        center=center,
        patient=patient,
        patients=patients,
        findings=tuple(columns) or None,
        words={plain(column): finding for column, finding in columns.items()},
        passed_over=tuple(own.others),
    )


def _own_finding(column: str, own: OwnColumns) -> str | None:
    if finding_of(column) is not None or plain(column) in map(plain, own.others):
        return None
    return match_finding(column, own.findings)


def make_scored_cohort(
    scores: GivenScores,
    labels: Path,
    columns: ColumnMap,
    blank: Blank,
    name: str,
    *,
    reject_all_zero: bool = False,
    replace: bool,
) -> tuple[IngestReport, ImportedScores]:
    """Make a new cohort from a file of labels, without images. Raises NoCohort, WrongInput, FailedChecks."""
    checked_name(scores.model)
    written: list[ImportedScores] = []
    report = make_cohort(
        lambda: read_label_table(labels, columns, blank, reject_all_zero=reject_all_zero),
        name,
        replace=replace,
        also=lambda folder: written.append(write_given_scores(folder, folder, scores)),
    )
    return report, dataclasses.replace(written[0], failures=report.folder.failures(scores.model))
