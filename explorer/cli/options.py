"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cohorts.image_folder import image_folder
from explorer.core.uncertainty import Policy
from explorer.settings import Device
from explorer.tabular.patient_names import PatientIds

if TYPE_CHECKING:
    from explorer.tabular.notes import Notes

LABELS_HELP = "CSV of labels, one row per image: 1 present, 0 absent, blank unknown, -1 uncertain."
Scores = Annotated[Path, typer.Option(help="CSV of scores from 0 to 1 for the same images and findings.")]
IdColumn = Annotated[str, typer.Option(help="Column of image ids, in both files.")]
Logits = Annotated[
    bool,
    typer.Option(
        "--logits", help="The scores are logits: each x is read as 1 / (1 + exp(-x)); thresholds apply to the result."
    ),
]
Long = Annotated[
    str,
    typer.Option(
        "--long",
        metavar="FINDING,SCORE",
        help="The scores have a row per image and finding: the names of the columns of both, such as finding,score.",
    ),
]
CenterColumn = Annotated[str | None, typer.Option(help="Label column that gives an image's center.")]
PatientColumn = Annotated[str | None, typer.Option(help="Label column that gives an image's patient.")]
PatientsPerCenter = Annotated[
    bool, typer.Option("--patients-per-center", help="The same patient identifier at two centers means two patients.")
]
WeightColumn = Annotated[
    str | None,
    typer.Option(help="Label column that gives an image's weight: adds weighted metrics."),
]
OwnFindings = Annotated[
    list[str] | None,
    typer.Option("--finding", metavar="NAME", help="A column to use as a finding that no taxonomy has. Repeatable."),
]
NotFindings = Annotated[
    list[str] | None,
    typer.Option("--not-finding", metavar="NAME", help="A column to ignore, whatever it holds."),
]
Uncertain = Annotated[Policy, typer.Option(help="How to count -1: ignore (unknown), zeros (absent), ones (present).")]
ImageFolders = Annotated[
    list[str] | None,
    typer.Option(
        "--images", metavar="NAME=DIR", help="Where a cohort's films are, for example nih=/data/nih. Repeatable."
    ),
]
OnDevice = Annotated[Device, typer.Option("--device", help="Where the model runs; auto: cuda, mps, then cpu.")]


def image_folders(words: list[str]) -> list[tuple[str, Path]]:
    """Return the folders that `--images` names; raises typer.BadParameter."""
    try:
        return [image_folder(word) for word in words]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--images") from error


@contextmanager
def scores_in_rows(scores: Path, image: str, long: str, notes: Notes) -> Iterator[Path]:
    """Yield the scores with a column per finding; a wide copy if `long` names the columns of a long file."""
    from explorer.tabular.long_table import wide_table

    if not long:
        yield scores
        return
    finding, separator, score = (part.strip() for part in long.partition(","))
    if not (finding and separator and score) or "," in score:
        raise typer.BadParameter("--long takes two column names: --long finding,score.")
    with wide_table(scores, image, finding, score, notes) as wide:
        yield wide


def given(context: typer.Context, name: str) -> bool:
    """Whether the command line gives an option, even if only with its default value."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def patient_ids(per_center: bool, patient_column: str | None, center_column: str | None) -> PatientIds:
    """Return where an identifier means the same patient. Raises typer.BadParameter if a needed column is missing."""
    if not per_center:
        return "across centers"
    if patient_column is None or center_column is None:
        raise typer.BadParameter("--patients-per-center needs --patient-column and --center-column.")
    return "per center"
