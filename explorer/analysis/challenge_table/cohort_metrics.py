"""Reads labels and scores of the same images from two files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from explorer.analysis.challenge_table.checks import (
    check_centers,
    check_columns,
    check_images,
    check_patients,
    check_weights,
    column_notes,
    identifies_patients,
    match_image_names,
    without_contradictions,
)
from explorer.core.arrays import Floats
from explorer.core.uncertainty import Policy, uncertainty_views
from explorer.metrics.odd_scores import odd_scores
from explorer.tabular.cells import UNCERTAIN, parse_label, parse_weight
from explorer.tabular.missing_words import names_nothing
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.own_columns import Declared, shared_columns
from explorer.tabular.patient_names import PatientIds, patient_names
from explorer.tabular.problems import MAX_LINES, Problems
from explorer.tabular.scores_sheet import read_scores_sheet
from explorer.tabular.sheet import Sheet, read_sheet

TextArray = npt.NDArray[np.object_]  # of str: with fixed-width text, one long cell would enlarge every cell

NO_CENTER = "no center stated"


@dataclass(frozen=True, slots=True)
class ColumnNames:
    """Names of columns that are not findings; all but the image column are in the labels file. None: not given."""

    image: str = "image_id"
    center: str | None = None
    patient: str | None = None
    weight: str | None = None
    patients: PatientIds = "across centers"  # scope of patient identifiers
    declared: Declared = field(default_factory=Declared)  # the cohort's own findings, and columns that are not findings

    @property
    def by_name(self) -> list[str]:
        """The columns that are read by name."""
        return [name for name in (self.image, self.center, self.patient, self.weight) if name is not None]


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatedCohort:
    """Images with labels and scores, and notes on how the files were read."""

    findings: tuple[str, ...]
    labels: Floats  # (images, findings): 1 present, 0 absent, NaN unknown
    scores: Floats  # (images, findings), 0 to 1
    centers: TextArray | None  # (images,)
    patients: TextArray | None  # (images,)
    notes: tuple[str, ...] = ()
    weights: Floats | None = None  # (images,) positive


def read_cohort(
    labels: Path,
    scores: Path,
    columns: ColumnNames,
    uncertain: Policy,
    *,
    logits: bool = False,
    most: int | None = MAX_LINES,
    each: bool = False,
) -> EvaluatedCohort:
    """Read and check both files; `uncertain` says whether -1 counts as unknown, absent or present.

    `logits`: scores are logits. `most` limits how many problem lines are listed (None: all); `each` lists every problem
    separately. Raises WrongInput if a file cannot be used at all, FailedChecks if rows or columns are wrong.
    """
    problems, read = Problems(most, each), Notes()
    own = shared_columns(labels, scores, columns.by_name, columns.declared, logits=logits)
    numbers = [] if columns.weight is None else [columns.weight]
    truth = read_sheet(
        labels, parse_label, columns.image, columns.by_name[1:], problems, read, own=own, numbers=numbers
    )
    submitted = read_scores_sheet(scores, columns.image, problems, read, own=own, logits=logits)
    submitted = match_image_names(truth, submitted, read)
    check_columns(truth, submitted, own, problems)
    check_images(truth, submitted, problems)
    if columns.patient is not None:
        check_patients(truth, columns.patient, problems)
    if columns.weight is not None:
        check_weights(truth, columns.weight, problems)
    if columns.center is not None:
        check_centers(truth, columns.center, problems, read)
    problems.refuse(read)
    truth, submitted, contradictions = without_contradictions(truth, submitted)
    truth_labels, ordered = _resolved_labels(truth.values, uncertain), _in_order_of(truth, submitted)
    for warning in odd_scores(tuple(truth.columns), truth_labels, ordered):
        read.add(Recognized.ODD_SCORES, scores, warning)
    centers = None if columns.center is None else _texts(truth, columns.center)
    patients, met = _patients(truth, columns, centers, read)
    return EvaluatedCohort(
        findings=tuple(truth.columns),
        labels=truth_labels,
        scores=ordered,
        centers=centers,
        patients=patients,
        notes=(*map(str, read), *filter(None, [contradictions, met]), *column_notes(truth, submitted, own)),
        weights=None
        if columns.weight is None
        else np.array([parse_weight(cell) for cell in truth.texts[columns.weight]]),
    )


def _patients(
    labels: Sheet, columns: ColumnNames, centers: TextArray | None, read: Notes
) -> tuple[TextArray | None, str | None]:
    """Return each image's patient (None if unknown) and a note on identifiers that several centers use."""
    if columns.patient is None or not identifies_patients(labels, columns.patient, read):
        return None, None
    patients = _texts(labels, columns.patient)
    if centers is None:
        return patients, None
    names, met = patient_names(patients.tolist(), centers.tolist(), columns.patients, "add --patients-per-center")
    return np.array(names, dtype=object), f"{labels.path.name}: {met}." if met else None


def _resolved_labels(labels: Floats, uncertain: Policy) -> Floats:
    mask = labels == UNCERTAIN
    return uncertainty_views(np.where(mask, np.nan, labels), mask)[uncertain].labels


def _in_order_of(labels: Sheet, scores: Sheet) -> Floats:
    rows = {image: row for row, image in enumerate(scores.lines)}
    places = {finding: place for place, finding in enumerate(scores.columns)}
    return scores.values[
        np.ix_([rows[image] for image in labels.lines], [places[finding] for finding in labels.columns])
    ]


def _texts(sheet: Sheet, column: str) -> TextArray:
    texts = (NO_CENTER if names_nothing(text) else text.strip() for text in sheet.texts[column])
    return np.array(list(texts), dtype=object)
