"""The options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cohorts.image_folder import image_folder
from explorer.core.uncertainty import Policy
from explorer.settings import Device
from explorer.tabular.patient_names import PatientIds

LABELS = "CSV of the truth, a row per image: 1 present, 0 absent, blank unknown, -1 uncertain."
Scores = Annotated[Path, typer.Option(help="CSV of the same images and findings: scores from 0 to 1.")]
IdColumn = Annotated[str, typer.Option(help="Column of image ids, in both files.")]
Logits = Annotated[
    bool,
    typer.Option(
        "--logits", help="The scores are logits: each x is read as 1 / (1 + exp(-x)), and thresholds are of what it is."
    ),
]
CenterColumn = Annotated[str | None, typer.Option(help="Column of the labels that says the center of an image.")]
PatientColumn = Annotated[str | None, typer.Option(help="Column of the labels that says the patient of an image.")]
PatientsPerCenter = Annotated[
    bool, typer.Option("--patients-per-center", help="The same patient identifier at two centers means two patients.")
]
WeightColumn = Annotated[
    str | None,
    typer.Option(
        help="Column of the labels that says how much an image counts: weighted metrics beside the plain ones."
    ),
]
OwnFindings = Annotated[
    list[str] | None,
    typer.Option("--finding", metavar="NAME", help="A column that is a finding no taxonomy has. May be repeated."),
]
NotFindings = Annotated[
    list[str] | None,
    typer.Option("--not-finding", metavar="NAME", help="A column that is no finding, whatever it holds."),
]
Uncertain = Annotated[Policy, typer.Option(help="What -1 counts as: ignore (unknown), zeros (absent), ones (present).")]
ImageFolders = Annotated[
    list[str] | None,
    typer.Option(
        "--images", metavar="NAME=DIR", help="Where the films are, for example nih=/data/nih. May be repeated."
    ),
]
OnDevice = Annotated[Device, typer.Option("--device", help="Where the model runs; auto: cuda, mps, then cpu.")]


def image_folders(words: list[str]) -> list[tuple[str, Path]]:
    """Folders by the names that `--images` gives them; raises typer.BadParameter."""
    try:
        return [image_folder(word) for word in words]
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--images") from error


def given(context: typer.Context, name: str) -> bool:
    """Whether the command line has an option, by its argument's name; its default may be the same."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def patient_ids(per_center: bool, patient_column: str | None, center_column: str | None) -> PatientIds:
    """Where an identifier means the same patient. Raises typer.BadParameter where no column says patient or center."""
    if not per_center:
        return "across centers"
    if patient_column is None or center_column is None:
        raise typer.BadParameter("--patients-per-center needs --patient-column and --center-column.")
    return "per center"
