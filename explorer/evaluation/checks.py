"""What must be true of a labels file and a scores file together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from explorer.core.finding_names import did_you_mean
from explorer.tabular.cells import weight
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems, WrongInput
from explorer.tabular.sheet import Sheet

MOST_CENTERS = 50


def check_columns(labels: Sheet, scores: Sheet, own: OwnColumns, problems: Problems) -> None:
    """Every labeled finding needs scores, and every column of the scores is a finding (`notes` tells the others)."""
    for name in scores.unknown:
        problems.add(f"the column {name!r} is not a finding{own.why_not(name)}", scores.path, 1)
    for finding in labels.columns:
        if finding not in scores.columns:
            problems.add(f"no column for {finding}, which {labels.path.name} has", scores.path, 1)


def check_images(labels: Sheet, scores: Sheet, problems: Problems) -> None:
    """Both files have the same images, in any order."""
    for image, line in labels.lines.items():
        if image not in scores.lines:
            problems.add(f"the image is not in {scores.path.name}", labels.path, line, image)
    for image, line in scores.lines.items():
        if image not in labels.lines:
            problems.add(f"the image is not in {labels.path.name}", scores.path, line, image)


def check_patients(labels: Sheet, column: str, problems: Problems) -> None:
    """Every image has a patient: images are resampled with their patient."""
    for patient, (image, line) in zip(labels.texts[column], labels.lines.items(), strict=True):
        if not patient.strip():
            problems.add(f"the column {column!r} is blank", labels.path, line, image)


def check_weights(labels: Sheet, column: str, problems: Problems) -> None:
    """Every image has a weight, a positive finite number."""
    for cell, (image, line) in zip(labels.texts[column], labels.lines.items(), strict=True):
        try:
            weight(cell)
        except ValueError as error:
            problems.add(f"the column {column!r}: {error}", labels.path, line, image)


def check_centers(labels: Sheet, column: str, problems: Problems) -> None:
    """Centers are few and can be printed; a blank one is allowed. Raises WrongInput where they are many."""
    names = dict.fromkeys(text.strip() for text in labels.texts[column])
    if len(names) > MOST_CENTERS:
        raise WrongInput(
            f"The column {column!r} of {labels.path} has {len(names):,} different values. "
            f"A column of centers has at most {MOST_CENTERS}: name another one."
        )
    for name in names:
        if not name.isprintable():
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
