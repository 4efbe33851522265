"""`ensemble`: save the mean of several models' scores as a model of their cohort, or delete it."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

MeanOf = Literal["scores", "logits", "ranks"]


def ensemble(
    cohort: Annotated[str, typer.Option(help="Name of the cohort.")],
    name: Annotated[str, typer.Option(help="Name of the ensemble among the cohort's models.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A member: a model that has scored the cohort. Two or more.")
    ] = None,
    mean: Annotated[MeanOf, typer.Option(help="What to average; every member has the same weight.")] = "scores",
    delete: Annotated[bool, typer.Option("--delete", help="Delete the ensemble of this name.")] = False,
) -> None:
    """Save the mean of several models' scores as a model of their cohort.

    Explore, Evaluate and `evaluate --cohort` then list it like any other model. No film is read. Thresholds maximize
    Youden's index on the films of the other splits if the cohort has splits, otherwise on these same films. The
    ensemble is saved under TAILSCOPE_HOME.

    \b
    Examples:
      python -m explorer ensemble --cohort phantom --model phantom --model lab-crt-0 --mean logits --name pair
      python -m explorer ensemble --cohort phantom --name pair --delete

    \b
    Exit codes:
      0  done
      2  wrong input: no such cohort or model, or a name that is taken or not allowed
    """
    if delete and model:
        raise typer.BadParameter("--delete takes no --model; the name identifies the ensemble.")
    with report_refusals():
        from explorer.analysis.ensembles import kept_ensemble
        from explorer.cohorts.layout import cohort_folder

        place = cohort_folder(cohort)
        if delete:
            kept_ensemble.delete_ensemble(place, name)
            say(f"Deleted the ensemble {name} of {cohort}.")
            return
        from contextlib import closing

        from explorer.store.store import Store

        with closing(Store()) as store:
            made = kept_ensemble.keep_ensemble(store, place, model or [], mean, name)
        say(
            f"{cohort} now has the model {made.model}: {made.title}; {made.scored:,} films, "
            f"{len(made.findings)} findings."
        )
        say(f"Thresholds: {made.thresholds}.")
