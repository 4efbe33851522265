"""`ingest predictions`: into a cohort that is there, or as a new one from labels and scores alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from explorer.cohorts import layout
from explorer.cohorts.layout import checked_name
from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.label_table import read_table
from explorer.ingest.make_cohort import IngestReport, make_cohort
from explorer.ingest.predictions import GivenScores, ImportedScores, place_of, write_scores


def add_scores(scores: GivenScores, cohort: str, *, replace: bool) -> ImportedScores:
    """Beside the cohort of this name. Raises NoCohort, WrongInput."""
    folder = layout.folder(cohort)
    return write_scores(folder, place_of(folder, scores.model, replace=replace), scores)


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
    """A new cohort from a file of labels, without any image. Raises NoCohort, WrongInput, FailedChecks."""
    checked_name(scores.model)
    written: list[ImportedScores] = []
    report = make_cohort(
        lambda: read_table(labels, columns, blank, reject_all_zero=reject_all_zero),
        name,
        replace=replace,
        also=lambda folder: written.append(write_scores(folder, folder, scores)),
    )
    return report, dataclasses.replace(written[0], failures=report.folder.failures(scores.model))
