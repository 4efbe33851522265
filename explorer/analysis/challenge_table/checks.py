"""What must be true of a labels file and a scores file together."""

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

MOST_CENTERS = 50
LONGEST_CENTER = 200  # characters


def check_columns(labels: Sheet, scores: Sheet, own: OwnColumns, problems: Problems) -> None:
    """Every labeled finding needs scores, and every column of the scores is a finding (`notes` tells the others)."""
    for name in scores.unknown:
        said = f"the column {name!r} is not a finding{own.why_not(name)}"
        problems.add(said, scores.path, 1, kind="columns that are not a finding")
    for finding in labels.columns:
        if finding not in scores.columns:
            said = f"no column for {finding}, which {labels.path.name} has"
            problems.add(said, scores.path, 1, kind=f"findings of {labels.path.name} without a column")


def with_names_of(labels: Sheet, scores: Sheet, read: Notes) -> Sheet:
    """The scores, with the names that the labels have for their images where the files write names differently."""
    found = image_names(scores.lines, labels.lines, labels.path.name)
    if found is None:
        return scores
    read.add(Recognized.IMAGE_NAMES, scores.path, found.note)
    return replace(scores, lines={found.pairs.get(image, image): line for image, line in scores.lines.items()})


def patients_known(labels: Sheet, column: str, read: Notes) -> bool:
    """Whether a column tells patients apart: not where a spreadsheet has rounded what it says."""
    seen = RoundedIds("patients")
    for patient, line in zip(labels.texts[column], labels.lines.values(), strict=True):
        seen.see(patient, line)
    if seen.count:
        said = f"{seen.sentence}: patients are not told apart, images are resampled one by one"
        read.add(Recognized.ROUNDED_IDS, labels.path, said)
    return not seen.count


def without_contradictions(labels: Sheet, scores: Sheet) -> tuple[Sheet, Sheet, str | None]:
    """Both sheets without the images that are labeled Normal and with a finding, and what to say of them.

    `ingest` rejects the same rows. Raises WrongInput where none is left.
    """
    findings = list(labels.columns)
    if "Normal" not in findings:
        return labels, scores, None
    apart = [place for place, name in enumerate(findings) if name not in COMPATIBLE_WITH_NORMAL]
    wrong = (labels.values[:, findings.index("Normal")] == 1) & (labels.values[:, apart] == 1).any(axis=1)
    names = [image for image, out in zip(labels.lines, wrong.tolist(), strict=True) if out]
    if not names:
        return labels, scores, None
    if len(names) == len(labels.lines):
        raise WrongInput(f"{labels.path}: every image is labeled Normal and with a finding. Which of the two is it?")
    said = f"{quantity(len(names), 'image')} left out, because Normal and a finding are both present: {some(names)}"
    left = frozenset(names)
    return labels.without(left), scores.without(left), f"{labels.path.name}: {said}."


def check_images(labels: Sheet, scores: Sheet, problems: Problems) -> None:
    """Both files have the same images, in any order."""
    for one, other in ((labels, scores), (scores, labels)):
        said, kind = f"the image is not in {other.path.name}", f"images that are not in {other.path.name}"
        for image, line in one.lines.items():
            if image not in other.lines:
                problems.add(said, one.path, line, image, kind=kind)
        if zeros_lost(one.lines, other.lines):
            lost = "A spreadsheet has taken zeros off the front of names: take the file from before it"
            problems.advise(one.path, kind, lost)
        elif alike := look_alike(one.lines, other.lines):
            problems.advise(one.path, kind, alike)


def check_patients(labels: Sheet, column: str, problems: Problems) -> None:
    """Every image has a patient: images are resampled with their patient."""
    kind = f"images without a {column!r}"
    for patient, (image, line) in zip(labels.texts[column], labels.lines.items(), strict=True):
        if names_nothing(patient):
            said = f"is {patient.strip()!r}, which names nobody" if patient.strip() else "is blank"
            problems.add(f"the column {column!r} {said}", labels.path, line, image, kind=kind)


def check_weights(labels: Sheet, column: str, problems: Problems) -> None:
    """Every image has a weight, a positive finite number."""
    for cell, (image, line) in zip(labels.texts[column], labels.lines.items(), strict=True):
        try:
            parse_weight(cell)
        except ValueError as error:
            problems.add(f"the column {column!r}: {error}", labels.path, line, image, kind=f"wrong cells of {column!r}")


def check_centers(labels: Sheet, column: str, problems: Problems, read: Notes) -> None:
    """Centers are few and can be printed; a missing one is allowed. Raises WrongInput where they are many."""
    missing, names = MissingWords(), dict[str, None]()
    for text in labels.texts[column]:
        if names_nothing(text):
            missing.see(column, text)
        else:
            names[text.strip()] = None
    missing.add_notes(labels.path, read)
    if len(names) > MOST_CENTERS:
        raise WrongInput(
            f"The column {column!r} of {labels.path} has {len(names):,} different values. "
            f"A column of centers has at most {MOST_CENTERS}: name another one."
        )
    for name in names:
        if len(name) > LONGEST_CENTER:
            problems.add(f"the center {name[:LONGEST_CENTER]!r}... has {len(name):,} characters", labels.path)
        elif not name.isprintable():
            problems.add(f"the center {name!r} has characters that cannot be printed", labels.path)


def notes(labels: Sheet, scores: Sheet, own: OwnColumns) -> Iterator[str]:
    """What the reader of a table should know about the columns that it comes from."""
    if own.note:
        yield f"{labels.path.name}, {scores.path.name}: {own.note}"
    for sheet in (labels, scores):
        for finding, name in sheet.columns.items():
            if finding != name:
                yield f"{sheet.path.name}: the column {name!r} is read as {finding}."
    if labels.unknown:
        offers = "".join(f" {name!r}:{offer}" for name in labels.unknown if (offer := did_you_mean(name)))
        yield f"{labels.path.name}: not used, because no finding has this name: {_quoted(labels.unknown)}.{offers}"
    unlabelled = [finding for finding in scores.columns if finding not in labels.columns]
    if unlabelled:
        yield f"{scores.path.name}: not used, because there are no labels for it: {_quoted(unlabelled)}."


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
