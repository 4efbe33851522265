"""`localize`: measure how often a model's heat maps find their target in a cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.loaded_model import loaded_model
from explorer.cli.options import ImageFolders, OnDevice, image_folders
from explorer.cli.say import say
from models.cards.heat_method import HeatMethod

Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--methods",
        metavar="METHOD@LAYER[:SIZE][:contrastive]",
        help="A method to measure, such as HiResCAM@blocks.4:224:contrastive. Repeatable. Default: the method of the "
        "model's card, and Grad-CAM of the last feature map.",
    ),
]


def localize(
    cohort: Annotated[str, typer.Option(help="Name of a cohort with masks or boxes, see `ingest`.")],
    model: Annotated[str, typer.Option(help="A registered model, or the path of a TOML file.")],
    methods: Methods = None,
    images: ImageFolders = None,
    device: OnDevice = "auto",
    films: Annotated[int, typer.Option(min=0, help="Number of films, evenly spaced; 0: all.")] = 0,
    randomization: Annotated[
        int, typer.Option(min=0, help="Films for the check that randomized layers change the maps; 0: no check.")
    ] = 0,
    choose_on: Annotated[
        str | None, typer.Option(help="Cohort of validation films; only the method that is best there is measured.")
    ] = None,
    card: Annotated[
        Path | None, typer.Option(help="With --choose-on: file to write; name it as `maps` in the model's card.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for all lines, including by finding and center.")] = None,
) -> None:
    """Measure whether a model's heat maps find the finding, judged by masks or hand-drawn boxes.

    Pointing game (the map's maximum lies in the mask), energy (share of heat in the mask over its share of the area; 1
    is chance) and intersection over union at the best level, with n and 95 % intervals over resamples of patients. For
    comparison: chance, and the finding's mean mask on other patients' films, which needs no model. Similarity is the
    median correlation between the maps of two findings called on the same film.

    A finding counts as called at the threshold chosen for this cohort (`thresholds`), else at that of the model's card.

    Measurements are saved as Parquet in the cohort's folder, so an interrupted run resumes.

    \b
    Examples:
      python -m explorer localize --cohort phantom --model phantom
      python -m explorer localize --cohort phantom --model phantom --films 200 --randomization 20 \\
          --methods GradCAM@last --methods LayerCAM@blocks.4 --methods HiResCAM@blocks.4:224:contrastive

    \b
    Exit codes:
      0  done; films that failed are listed
      2  wrong input: a cohort, a model, a method or an option that cannot be used
    """
    from explorer.cli.output import writable, write_result
    from explorer.cli.time_left import time_left
    from explorer.cohorts.images import Images
    from explorer.cohorts.layout import cohort_folder

    with report_refusals():
        for file in (out, card):
            if file is not None:
                writable(file)
        chosen, validation = cohort_folder(cohort), None if choose_on is None else cohort_folder(choose_on)
        found, wanted = Images(dict(image_folders(images or []))), _methods(methods)
        from explorer.workshop.localization.command import (
            Localizer,  # torch takes seconds, which no refused name waits for
        )

        with time_left("films") as progress:
            localizing = Localizer(loaded_model(model, device), found, films, progress)
            if validation is not None:
                wanted = (localizing.best(validation, wanted),)
            report = localizing.report(chosen, wanted, randomization)
        say(report.text, nl=False)
        for case, reason in report.failures.items():
            say(f"{case} failed: {reason}", err=True)
        if out is not None:
            write_result(report.csv, out)
        if card is not None and validation is not None:
            write_result(localizing.card(validation, chosen, wanted[0]), card)


def _methods(texts: list[str] | None) -> tuple[HeatMethod, ...]:
    try:
        return tuple(HeatMethod.parse(text) for text in texts or ())
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--methods") from error
