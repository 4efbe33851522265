"""Checks a labels file and a scores file against each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from explorer.core.finding_names import did_you_mean
from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.core.word_lists import quantity
from explorer.tabular.cells import parse_weight
from explorer.tabular.image_names import image_names, look_alike, zeros_lost
from explorer.tabular.missing_words import MissingWords, names_nothing
from explorer.tabular.notes import Notes, Recognized, some
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.rounded_ids import RoundedIds
from explorer.tabular.sheet import Sheet

MAX_CENTERS = 50
MAX_CENTER_CHARS = 200  # characters


def check_columns(labels: Sheet, scores: Sheet, own: OwnColumns, problems: Problems) -> None:
    """Report labeled findings that have no scores, and score columns that are not findings."""
    for name in scores.unknown:
        said = f"the column {name!r} is not a finding{own.why_not(name)}"
        problems.add(said, scores.path, 1, kind="columns that are not a finding")
    for finding in labels.columns:
        if finding not in scores.columns:
            said = f"no column for {finding}, which {labels.path.name} has"
            problems.add(said, scores.path, 1, kind=f"findings of {labels.path.name} without a column")


def match_image_names(labels: Sheet, scores: Sheet, read: Notes) -> Sheet:
    """Return the scores with images renamed as in the labels, if the files name them differently."""
    found = image_names(scores.lines, labels.lines, labels.path.name)
    if found is None:
        return scores
    read.add(Recognized.IMAGE_NAMES, scores.path, found.note)
    return replace(scores, lines={found.pairs.get(image, image): line for image, line in scores.lines.items()})


def identifies_patients(labels: Sheet, column: str, read: Notes) -> bool:
    """Return whether a column identifies patients; False if a spreadsheet rounded its numbers."""
    seen = RoundedIds("patients")
    for patient, line in zip(labels.texts[column], labels.lines.values(), strict=True):
        seen.see(patient, line)
    if seen.count:
        sentence = f"{seen.sentence}: patients cannot be distinguished, so images are resampled individually"
        read.add(Recognized.ROUNDED_IDS, labels.path, sentence)
    return not seen.count


def without_contradictions(labels: Sheet, scores: Sheet) -> tuple[Sheet, Sheet, str | None]:
    """Return both sheets without images labeled both Normal and with a finding, and a note about them.

    `ingest` rejects the same rows. Raises WrongInput if no image is left.
    """
    findings = list(labels.columns)
    if "Normal" not in findings:
        return labels, scores, None
    abnormal_places = [place for place, name in enumerate(findings) if name not in COMPATIBLE_WITH_NORMAL]
    wrong = (labels.values[:, findings.index("Normal")] == 1) & (labels.values[:, abnormal_places] == 1).any(axis=1)
    names = [image for image, out in zip(labels.lines, wrong.tolist(), strict=True) if out]
    if not names:
        return labels, scores, None
    if len(names) == len(labels.lines):
        raise WrongInput(f"{labels.path}: every image is labeled both Normal and with a finding. Correct the labels.")
    said = f"{quantity(len(names), 'image')} left out, because Normal and a finding are both present: {some(names)}"
    left = frozenset(names)
    return labels.without(left), scores.without(left), f"{labels.path.name}: {said}."


def check_images(labels: Sheet, scores: Sheet, problems: Problems) -> None:
    """Report images that only one of the files has."""
    for one, other in ((labels, scores), (scores, labels)):
        said, kind = f"the image is not in {other.path.name}", f"images that are not in {other.path.name}"
        for image, line in one.lines.items():
            if image not in other.lines:
                problems.add(said, one.path, line, image, kind=kind)
        if zeros_lost(one.lines, other.lines):
            lost = "A spreadsheet removed leading zeros from names: use the file as it was before"
            problems.advise(one.path, kind, lost)
        elif alike := look_alike(one.lines, other.lines):
            problems.advise(one.path, kind, alike)


def check_patients(labels: Sheet, column: str, problems: Problems) -> None:
    """Report images without a patient, which cannot be resampled by patient."""
    kind = f"images without a {column!r}"
    for patient, (image, line) in zip(labels.texts[column], labels.lines.items(), strict=True):
        if names_nothing(patient):
            said = f"is {patient.strip()!r}, which does not identify a patient" if patient.strip() else "is blank"
            problems.add(f"the column {column!r} {said}", labels.path, line, image, kind=kind)


def check_weights(labels: Sheet, column: str, problems: Problems) -> None:
    """Report images whose weight is not a positive finite number."""
    for cell, (image, line) in zip(labels.texts[column], labels.lines.items(), strict=True):
        try:
            parse_weight(cell)
        except ValueError as error:
            problems.add(f"the column {column!r}: {error}", labels.path, line, image, kind=f"wrong cells of {column!r}")


def check_centers(labels: Sheet, column: str, problems: Problems, read: Notes) -> None:
    """Report unprintable and long center names; centers may be missing. Raises WrongInput if there are too many."""
    missing, names = MissingWords(), dict[str, None]()
    for text in labels.texts[column]:
        if names_nothing(text):
            missing.see(column, text)
        else:
            names[text.strip()] = None
    missing.add_notes(labels.path, read)
    if len(names) > MAX_CENTERS:
        raise WrongInput(
            f"The column {column!r} of {labels.path} has {len(names):,} different values. "
            f"A column of centers has at most {MAX_CENTERS}: name another column."
        )
    for name in names:
        if len(name) > MAX_CENTER_CHARS:
            problems.add(f"the center {name[:MAX_CENTER_CHARS]!r}... has {len(name):,} characters", labels.path)
        elif not name.isprintable():
            problems.add(f"the center {name!r} has characters that cannot be printed", labels.path)


def column_notes(labels: Sheet, scores: Sheet, own: OwnColumns) -> Iterator[str]:
    """Yield notes on how columns were read and which were not used."""
    if own.note:
        yield f"{labels.path.name}, {scores.path.name}: {own.note}"
    for sheet in (labels, scores):
        for finding, name in sheet.columns.items():
            if finding != name:
                yield f"{sheet.path.name}: the column {name!r} is read as {finding}."
    if labels.unknown:
        offers = "".join(f" {name!r}:{offer}" for name in labels.unknown if (offer := did_you_mean(name)))
        yield f"{labels.path.name}: ignored, because no finding has this name: {_quoted(labels.unknown)}.{offers}"
    unlabelled = [finding for finding in scores.columns if finding not in labels.columns]
    if unlabelled:
        yield f"{scores.path.name}: ignored, because it has no labels: {_quoted(unlabelled)}."


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
