"""`score`: a model's scores of a cohort's films."""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.loaded_model import loaded_model
from explorer.cli.options import ImageFolders, OnDevice, image_folders
from explorer.cli.say import say

PartFilms = Annotated[
    int, typer.Option(min=1, max=1 << 20, help="Films whose scores are written at once: all that a broken run loses.")
]


def score(
    cohort: Annotated[str, typer.Option(help="Name of the cohort, see `ingest`.")],
    model: Annotated[str, typer.Option(help="A registered model, the path of a TOML file, or an open_clip address.")],
    images: ImageFolders = None,
    device: OnDevice = "auto",
    part_films: PartFilms = 1024,
) -> None:
    """Score a cohort's films with a model, and keep scores and features beside the cohort.

    Of an image-text model the scores are margins, and the features the embeddings that a typed text ranks films by.

    Films that have scores are not scored again: a run that was broken off is taken up where it was. Films that could
    not be scored are listed with the reason and tried again by the next run.

    \b
    Examples:
      python -m explorer score --cohort my-hospital --model nih-mini
      python -m explorer score --cohort my-hospital --model nih-mini-vlm
      python -m explorer score --cohort my-hospital --model my.toml --device cuda --images my-hospital=/data/films

    \b
    Exit codes:
      0  done; films that failed are counted
      2  wrong input: a cohort, a model, a folder or an option that cannot be used
    """
    from explorer.cli.time_left import time_left
    from explorer.cohorts.images import Images
    from explorer.cohorts.layout import folder
    from explorer.scoring.shift import shift, shift_table

    with report_refusals():
        chosen, films = folder(cohort), Images(dict(image_folders(images or [])))
        from explorer.scoring.run import score as scored  # torch takes seconds, which no refused name needs to wait for

        with time_left("films") as progress:
            outcome = scored(chosen, loaded_model(model, device), films, progress, part_films)
        said = outcome.manifest
        say(f"{cohort} by {said.model}: {outcome.tried:,} tried, {said.scored:,} scored in all.")
        if outcome.failures:
            say(f"{said.failed:,} failed; the reasons are in {outcome.target.failures(said.model)}.")
        say(f"{said.split[0].upper()}{said.split[1:]}.")
        say(shift_table(shift(chosen, outcome.target, said), said), nl=False)
