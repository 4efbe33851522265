"""`score`: score a cohort's films with a model."""

from __future__ import annotations

from typing import Annotated, Literal

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
    perturb: Annotated[
        str | None,
        typer.Option(
            help="Score perturbed films instead: all, physical (simulated films), or kinds with commas; a wrong one "
            "lists them."
        ),
    ] = None,
    scale: Annotated[
        Literal["matched", "medmnist-c"],
        typer.Option(help="Strengths that cost alike, or the severities of MedMNIST-C, which has 13 of the kinds."),
    ] = "matched",
    insert: Annotated[
        bool, typer.Option("--insert", help="Score films without findings instead, with simulated ones put into them.")
    ] = False,
    films: Annotated[int, typer.Option(min=1, help="With --insert: how many films.")] = 150,
) -> None:
    """Score a cohort's films with a model, and save scores and features with the cohort.

    For an image-text model, scores are margins and features are embeddings, by which a typed text ranks films.

    Films that have scores are skipped, so an interrupted run resumes. Films that could not be scored are listed with
    the reason; the next run tries them again.

    With --perturb, each film is also scored after changes such as rotation, noise and blur, at five strengths. These
    scores are apart from the others; `robustness` compares them. Physical kinds, such as dose and projection, image
    the same simulated patient again.

    With --insert, simulated findings are put into films without any, at places of the lungs and from subtle to obvious.
    These scores are apart, too; `detectability` counts what is flagged.

    \b
    Examples:
      python -m explorer score --cohort my-hospital --model nih-mini
      python -m explorer score --cohort my-hospital --model nih-mini-vlm
      python -m explorer score --cohort my-hospital --model nih-mini --perturb rotation,jpeg,flip
      python -m explorer score --cohort phantom --model phantom --perturb physical
      python -m explorer score --cohort my-hospital --model nih-mini --insert --films 300
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
        if perturb is not None and insert:
            raise typer.BadParameter("Give --perturb or --insert, not both.")
        if perturb is not None:
            from explorer.cli.score_perturbed import score_levels

            return score_levels(cohort, model, images, device, part_films, perturb, scale)
        if insert:
            from explorer.cli.score_inserted import score_with_findings

            return score_with_findings(cohort, model, images, device, films)
        chosen, folders = cohort_folder(cohort), Images(dict(image_folders(images or [])))
        from explorer.scoring.run import (
            score_cohort as scored,
        )  # torch takes seconds, which no refused name needs to wait for

        with time_left("films") as progress:
            outcome = scored(chosen, loaded_model(model, device), folders, progress, part_films)
        manifest = outcome.manifest
        say(f"{cohort} by {manifest.model}: {outcome.tried:,} tried, {manifest.scored:,} scored in total.")
        if outcome.failures:
            say(f"{manifest.failed:,} failed; the reasons are in {outcome.target.failures(manifest.model)}.")
        say(f"{manifest.split[0].upper()}{manifest.split[1:]}.")
        prepare_now(cohort, [manifest.model])
        say(shift_table(called_shift(chosen, outcome.target, manifest), manifest), nl=False)
