"""A model's scores of a cohort as the file that a task of CXR-LT 2026 asks for. No film is read."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import fractions
from explorer.core.arrays import Floats
from explorer.core.challenge_columns import CHALLENGE_COLUMNS, IMAGE_COLUMN
from explorer.core.finding_words import finding_of
from explorer.core.findings import TASKS, ChallengeTask
from explorer.core.word_lists import comma_list, quantity
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import some
from explorer.tabular.submission_file import SubmissionFormat
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest
    from explorer.store.store import Store

TASK_NUMBERS: dict[int, ChallengeTask] = {1: "seen", 2: "unseen"}
FORMAT = "{:.9g}"  # a float32 written so is read back as it was: no tie is made


class NoSubmission(Refusal):
    """Scores that cannot be handed in: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Submission:
    """Scores (images, columns) from 0 to 1 in the order of their format; `notes` say what was done."""

    format: SubmissionFormat
    scores: Floats
    notes: tuple[str, ...]

    def text(self) -> str:
        """As CSV."""
        file = io.StringIO(newline="")
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(self.format.header)
        for image, row in zip(self.format.images, self.scores, strict=True):
            lines.writerow(self.format.row(image, [FORMAT.format(value) for value in row]))
        return file.getvalue()


def submission_of(store: Store, cohort: str, model: str, number: int, sample: SubmissionFormat | None) -> Submission:
    """What a model says of a task's findings, on the films of a cohort, or on those of a sample in its format.

    Margins of an image-text model become sigmoid(scale * margin). Raises NoSubmission where the model does not score
    a finding or a film, or the sample does not fit; what the store raises.
    """
    columns = _columns(number, sample)
    about, grid = store.model(cohort, model), store.grid(cohort, model)
    missing = [finding for finding in columns.values() if finding not in about.findings]
    if missing:
        raise _without_findings(store, cohort, model, number, missing)
    rows, images, notes = _rows(list(store.patients(cohort)), cohort, sample)
    places = [grid.findings.index(finding) if finding in grid.findings else -1 for finding in columns.values()]
    scores = grid.score[np.ix_(rows, places)] if min(places) >= 0 else np.full((len(rows), len(places)), np.nan)
    unscored = int(np.isnan(scores).any(axis=1).sum())
    if unscored:
        raise NoSubmission(
            f"{unscored:,} of {quantity(len(rows), 'film')} have no score by {model}",
            f"Score them first: `{_command(about, cohort)}`. Films that failed are listed with their reason beside the "
            "cohort.",
        )
    if about.unit == "margin":
        notes = (*notes, f"Margins of {model} are handed in as sigmoid(scale * margin).")
    if sample is None or not sample.columns:
        notes = (
            *notes,
            "The header is that of a participant's published code, not checked with the organizers: --like SAMPLE.csv "
            "takes the one of a sample.",
        )
    made = SubmissionFormat(f"task {number}", IMAGE_COLUMN, tuple(columns), tuple(images))
    if sample is not None:
        place = sample.image_place if sample.columns else 0
        made = SubmissionFormat(sample.name, sample.image_column, tuple(columns), tuple(images), image_place=place)
    scale = about.scale if about.unit == "margin" else None
    return Submission(made, fractions(scores.astype(np.float64), scale), notes)


def _command(about: ModelManifest, cohort: str) -> str:
    """What makes a model's missing scores: those that were made elsewhere are imported."""
    if about.sha256 is None:
        return f"python -m explorer ingest predictions SCORES.csv --cohort {cohort} --model {about.model} --replace"
    return f"python -m explorer score --cohort {cohort} --model {about.model}"


def _columns(number: int, sample: SubmissionFormat | None) -> dict[str, str]:
    """Column -> finding, in the order of the file."""
    task = TASK_NUMBERS[number]
    if sample is None or not sample.columns:  # a sample of images alone says nothing of columns
        return dict(CHALLENGE_COLUMNS[task])
    found = {name: finding_of(name) for name in sample.columns}
    wanted, there = set(TASKS[task]), [finding for finding in found.values() if finding is not None]
    wrong = [name for name, finding in found.items() if finding not in wanted]
    lacking = [finding for finding in TASKS[task] if finding not in there]
    if wrong or lacking or len(set(there)) != len(there):
        said = f"Not among them: {some(wrong)}. " if wrong else ""
        said += f"Without a column: {some(lacking)}. " if lacking else ""
        raise NoSubmission(
            f"{sample.name} is no sample of task {number}",
            f"Its columns are to be the {len(wanted)} findings of task {number}, each once. {said}Name the other task, "
            "or another sample.",
        )
    return {name: finding for name, finding in found.items() if finding is not None}


def _rows(
    cases: list[str], cohort: str, sample: SubmissionFormat | None
) -> tuple[list[int], list[str], tuple[str, ...]]:
    """Which films, what they are called in the file, and what is to be said of that."""
    if sample is None or not sample.images:
        return list(range(len(cases))), cases, ()
    place = {case: row for row, case in enumerate(cases)}
    found = image_names(sample.images, cases, cohort)
    called = {image: image for image in sample.images} if found is None else found.pairs
    absent = [image for image in sample.images if called.get(image) not in place]
    if absent:
        raise NoSubmission(
            f"{len(absent):,} of {quantity(len(sample.images), 'image')} of {sample.name} are no film of {cohort}",
            f"For example {some(absent)}. Name the cohort of these images, or ingest them: "
            "`python -m explorer ingest --help`.",
        )
    notes = () if found is None else (f"{sample.name}: {found.note}.",)
    left = len(cases) - len(sample.images)
    if left:
        notes = (*notes, f"{quantity(left, 'film')} of {cohort} that {sample.name} does not have left out.")
    return [place[called[image]] for image in sample.images], list(sample.images), notes


def _without_findings(store: Store, cohort: str, model: str, number: int, missing: list[str]) -> NoSubmission:
    wanted = set(TASKS[TASK_NUMBERS[number]])
    able = [each.model for each in store.models(cohort) if wanted <= set(each.findings)]
    others = (
        f"Of {cohort}'s models these do: {comma_list(able)}."
        if able
        else f"No model of {cohort} does: `python -m explorer score --cohort {cohort} --model MODEL` adds one, "
        "an image-text model for findings without training films."
    )
    count = f"{len(missing)} of the {len(wanted)} findings" if len(missing) < len(wanted) else "any finding"
    return NoSubmission(f"{model} does not score {count} of task {number}", f"Missing: {some(missing)}. {others}")
