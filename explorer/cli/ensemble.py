"""`ensemble`: keep the mean of several models' scores as a model of their cohort, or delete it again."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

Of = Literal["scores", "logits", "ranks"]


def ensemble(
    cohort: Annotated[str, typer.Option(help="Name of the cohort.")],
    name: Annotated[str, typer.Option(help="What the ensemble is called as a model of the cohort.")],
    model: Annotated[
        list[str] | None, typer.Option(help="A member: a model that has scored the cohort. Two or more.")
    ] = None,
    mean: Annotated[Of, typer.Option(help="Of what the mean is taken, each member with the same weight.")] = "scores",
    delete: Annotated[bool, typer.Option("--delete", help="Delete the ensemble of this name instead.")] = False,
) -> None:
    """Keep the mean of several models' scores as a model of their cohort.

    Explore, Evaluate and `evaluate --cohort` then know it as any other. No film is read. Thresholds are Youden's, on
    the films of the other splits where the cohort has splits, else on these very films. It is kept under
    TAILSCOPE_HOME.

    \b
    Examples:
      python -m explorer ensemble --cohort phantom --model phantom --model lab-crt-0 --mean logits --name pair
      python -m explorer ensemble --cohort phantom --name pair --delete

    \b
    Exit codes:
      0  done
      2  wrong input: no such cohort or model, a name that is taken or cannot be one
    """
    if delete and model:
        raise typer.BadParameter("--delete takes no --model: the name says which ensemble.")
    with report_refusals():
        from explorer.analysis.ensembles import kept_ensemble
        from explorer.cohorts.layout import folder

        place = folder(cohort)
        if delete:
            kept_ensemble.delete(place, name)
            say(f"{cohort} no longer has the ensemble {name}.")
            return
        from contextlib import closing

        from explorer.store.store import Store

        with closing(Store()) as store:
            made = kept_ensemble.keep(store, place, model or [], mean, name)
        say(f"{cohort} has the model {made.model}: {made.title}; {made.scored:,} films, {len(made.findings)} findings.")
        say(f"Thresholds: {made.thresholds}.")
