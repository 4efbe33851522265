"""Writes a model's scores of a cohort as a submission to a task of CXR-LT 2026 or 2024. No film is read."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import as_probabilities
from explorer.core.arrays import Floats
from explorer.core.challenge_columns import TASK_FORMATS, Challenge, TaskFormat
from explorer.core.finding_words import finding_of
from explorer.core.word_lists import comma_list, quantity
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import some
from explorer.tabular.submission_file import SubmissionFormat
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest
    from explorer.store.store import Store

SCORE_FORMAT = "{:.9g}"  # round-trips float32, so rounding creates no ties


class NoSubmission(Refusal):
    """Scores that cannot be submitted: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """Scores (images, columns) in [0, 1] in the order of `format`; `notes` say how they were made."""

    format: SubmissionFormat
    scores: Floats
    notes: tuple[str, ...]

    def text(self) -> str:
        """Return the submission as CSV."""
        file = io.StringIO(newline="")
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(self.format.header)
        for image, row in zip(self.format.images, self.scores, strict=True):
            lines.writerow(self.format.row(image, [SCORE_FORMAT.format(value) for value in row]))
        return file.getvalue()


def submission_of(
    store: Store,
    cohort: str,
    model: str,
    number: int,
    sample: SubmissionFormat | None,
    challenge: Challenge = "2026",
) -> Submission:
    """Return a model's scores of a task's findings on a cohort's films, or on the films of `sample`, in its format.

    An image-text model's margins become sigmoid(scale * margin). Raises NoSubmission if the challenge has no such task,
    if a finding or film has no score or the sample does not fit, and the store's errors.
    """
    task = _task(challenge, number)
    columns = _columns(task, sample)
    about, grid = store.model(cohort, model), store.grid(cohort, model)
    missing = [finding for finding in columns.values() if finding not in about.findings]
    if missing:
        raise _without_findings(store, cohort, model, task, missing)
    rows, images, notes = _rows(list(store.patients(cohort)), cohort, sample)
    places = [grid.findings.index(finding) if finding in grid.findings else -1 for finding in columns.values()]
    scores = grid.score[np.ix_(rows, places)] if min(places) >= 0 else np.full((len(rows), len(places)), np.nan)
    unscored = int(np.isnan(scores).any(axis=1).sum())
    if unscored:
        raise NoSubmission(
            f"{unscored:,} of {quantity(len(rows), 'film')} have no score by {model}",
            f"Score them first: `{_command(about, cohort)}`. The cohort's folder lists failed films with their "
            "reasons.",
        )
    if about.unit == "margin":
        notes = (*notes, f"Margins of {model} are submitted as sigmoid(scale * margin).")
    if sample is None or not sample.columns:
        notes = (*notes, task.header_note)
    made = SubmissionFormat(task.name, task.image_column, tuple(columns), tuple(images))
    if sample is not None:
        place = sample.image_place if sample.columns else 0
        made = SubmissionFormat(sample.name, sample.image_column, tuple(columns), tuple(images), image_place=place)
    scale = about.scale if about.unit == "margin" else None
    return Submission(made, as_probabilities(scores.astype(np.float64), scale), notes)


def _task(challenge: Challenge, number: int) -> TaskFormat:
    if (challenge, number) not in TASK_FORMATS:
        there = comma_list(str(each) for year, each in TASK_FORMATS if year == challenge)
        raise NoSubmission(f"CXR-LT {challenge} has no task {number}", f"Its tasks: {there}. Name one with --task.")
    return TASK_FORMATS[challenge, number]


def _command(about: ModelManifest, cohort: str) -> str:
    """Return the command that adds a model's missing scores; scores that were made elsewhere are imported."""
    if about.sha256 is None:
        return f"python -m explorer ingest predictions SCORES.csv --cohort {cohort} --model {about.model} --replace"
    return f"python -m explorer score --cohort {cohort} --model {about.model}"


def _columns(task: TaskFormat, sample: SubmissionFormat | None) -> dict[str, str]:
    """Return the finding of each column, in file order."""
    if sample is None or not sample.columns:  # a sample with only images does not define columns
        return dict(task.columns)
    found = {name: finding_of(name) for name in sample.columns}
    wanted, there = set(task.columns.values()), [finding for finding in found.values() if finding is not None]
    wrong = [name for name, finding in found.items() if finding not in wanted]
    without_column = [finding for finding in task.columns.values() if finding not in there]
    if wrong or without_column or len(set(there)) != len(there):
        wrong_columns = f"Not among them: {some(wrong)}. " if wrong else ""
        wrong_columns += f"Without a column: {some(without_column)}. " if without_column else ""
        raise NoSubmission(
            f"{sample.name} is not a sample of {task.name}",
            f"Its columns must be the {len(wanted)} findings of {task.name}, each once. {wrong_columns}Name the "
            "other task, or another sample.",
        )
    return {name: finding for name, finding in found.items() if finding is not None}


def _rows(
    cases: list[str], cohort: str, sample: SubmissionFormat | None
) -> tuple[list[int], list[str], tuple[str, ...]]:
    """Return the films' rows, their names in the file, and notes on how they were matched."""
    if sample is None or not sample.images:
        return list(range(len(cases))), cases, ()
    place = {case: row for row, case in enumerate(cases)}
    found = image_names(sample.images, cases, cohort)
    called = {image: image for image in sample.images} if found is None else found.pairs
    absent = [image for image in sample.images if called.get(image) not in place]
    if absent:
        raise NoSubmission(
            f"{len(absent):,} of {quantity(len(sample.images), 'image')} of {sample.name} are not in {cohort}",
            f"For example {some(absent)}. Name the cohort of these images, or ingest them: "
            "`python -m explorer ingest --help`.",
        )
    notes = () if found is None else (f"{sample.name}: {found.note}.",)
    left = len(cases) - len(sample.images)
    if left:
        notes = (*notes, f"{quantity(left, 'film')} of {cohort} missing from {sample.name} left out.")
    return [place[called[image]] for image in sample.images], list(sample.images), notes


def _without_findings(store: Store, cohort: str, model: str, task: TaskFormat, missing: list[str]) -> NoSubmission:
    wanted = set(task.columns.values())
    able = [each.model for each in store.models(cohort) if wanted <= set(each.findings)]
    others = (
        f"These models of {cohort} score all: {comma_list(able)}."
        if able
        else f"No model of {cohort} scores all. Add one: `python -m explorer score --cohort {cohort} --model MODEL`, "
        "with an image-text model for findings without training films."
    )
    count = f"{len(missing)} of the {len(wanted)} findings" if len(missing) < len(wanted) else "any finding"
    return NoSubmission(f"{model} does not score {count} of {task.name}", f"Missing: {some(missing)}. {others}")
