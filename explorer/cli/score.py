"""`score`: score a cohort's films with a model."""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.loaded_model import loaded_model
from explorer.cli.options import ImageFolders, OnDevice, image_folders
from explorer.cli.say import say

PartFilms = Annotated[
    int, typer.Option(min=1, max=1 << 20, help="Films per written part, the most that an interrupted run loses.")
]


def score(
    cohort: Annotated[str, typer.Option(help="Name of the cohort, see `ingest`.")],
    model: Annotated[str, typer.Option(help="A registered model, the path of a TOML file, or an open_clip address.")],
    images: ImageFolders = None,
    device: OnDevice = "auto",
    part_films: PartFilms = 1024,
) -> None:
    """Score a cohort's films with a model, and save scores and features with the cohort.

    For an image-text model, scores are margins and features are embeddings, by which a typed text ranks films.

    Films that have scores are skipped, so an interrupted run resumes. Films that could not be scored are listed with
    the reason; the next run tries them again.

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
    from explorer.cli.prepared import prepare_now
    from explorer.cli.time_left import time_left
    from explorer.cohorts.images import Images
    from explorer.cohorts.layout import cohort_folder
    from explorer.scoring.shift import called_shift, shift_table

    with report_refusals():
        chosen, films = cohort_folder(cohort), Images(dict(image_folders(images or [])))
        from explorer.scoring.run import (
            score_cohort as scored,
        )  # torch takes seconds, which no refused name needs to wait for

        with time_left("films") as progress:
            outcome = scored(chosen, loaded_model(model, device), films, progress, part_films)
        manifest = outcome.manifest
        say(f"{cohort} by {manifest.model}: {outcome.tried:,} tried, {manifest.scored:,} scored in total.")
        if outcome.failures:
            say(f"{manifest.failed:,} failed; the reasons are in {outcome.target.failures(manifest.model)}.")
        say(f"{manifest.split[0].upper()}{manifest.split[1:]}.")
        prepare_now(cohort, [manifest.model])
        say(shift_table(called_shift(chosen, outcome.target, manifest), manifest), nl=False)
