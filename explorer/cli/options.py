"""The options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.core.uncertainty import Policy

Labels = Annotated[
    Path,
    typer.Option(help="CSV of the truth, a row per image: 1 present, 0 absent, blank unknown, -1 uncertain."),
]
Scores = Annotated[Path, typer.Option(help="CSV of the same images and findings: scores from 0 to 1.")]
IdColumn = Annotated[str, typer.Option(help="Column of image ids, in both files.")]
CenterColumn = Annotated[str | None, typer.Option(help="Column of the labels that says the center of an image.")]
PatientColumn = Annotated[str | None, typer.Option(help="Column of the labels that says the patient of an image.")]
WeightColumn = Annotated[
    str | None,
    typer.Option(
        help="Column of the labels that says how much an image counts: weighted metrics beside the plain ones."
    ),
]
Uncertain = Annotated[Policy, typer.Option(help="What -1 counts as: ignore (unknown), zeros (absent), ones (present).")]
