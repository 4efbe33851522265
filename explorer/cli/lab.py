"""`lab`: the challenge's long-tail recipes, trained on the same simulated films and compared."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

if TYPE_CHECKING:
    from explorer.lab.trained import Trained
    from models.training.lab_recipe import LabRecipe

lab = typer.Typer(no_args_is_help=True, help="Train long-tail recipes on the phantom's films and compare them.")

RecipeName = Annotated[str, typer.Argument(help="Name of a recipe, see `lab list`.")]
Run = Annotated[Path, typer.Option(help="Folder that keeps films, networks and scores.")]
Seed = Annotated[int, typer.Option(min=0)]
Threads = Annotated[int, typer.Option(min=1, help="Of the training.")]
Processes = Annotated[int, typer.Option(min=1, help="That render films which are not there yet.")]
Few = Annotated[int | None, typer.Option(min=40, help="A trial: so many training films, half as many of the others.")]


@lab.command("list")
def list_recipes() -> None:
    """List the recipes: what each changes, who proposed it, who used it."""
    from models.training.lab_recipe import lab_recipe, names

    with report_refusals():
        for name in names():
            recipe = lab_recipe(name)
            team = f" Used by {recipe.team}." if recipe.team else ""
            say(f"{name}: {recipe.title}. Changes {recipe.changes}. {recipe.source}.{team}")


@lab.command()
def train(
    recipe: RecipeName,
    run: Run,
    seed: Seed = 0,
    threads: Threads = 2,
    processes: Processes = 2,
    few: Few = None,
) -> None:
    """Train a recipe with a seed, and keep what it says of validation and test films.

    What was broken off goes on after its last whole epoch; the weights in the end are the same. A recipe that goes on
    from another trains that first.

    \b
    Example: python -m explorer lab train crt --run RUN --seed 1

    \b
    Exit codes:
      0  done
      2  wrong input: no such recipe, or one that cannot be right
    """
    with report_refusals():
        _, made = _trained(recipe, run, seed, threads, processes, few)
        worth = f"mAP {max(made.curve):.3f} on {len(made.validation.cases):,} validation films"
        say(f"{recipe}, seed {seed}: {worth}, epoch {made.epoch} of the last stage, {made.cost.seconds / 60:.1f} min.")


@lab.command()
def score(
    recipe: RecipeName,
    run: Run,
    seed: Seed = 0,
    threads: Threads = 2,
    processes: Processes = 2,
    few: Few = None,
) -> None:
    """Make a trained recipe a model of the cohort phantom: Explore and Compare then know it as `lab-RECIPE-SEED`.

    Its scores go where this machine keeps what it adds to a shipped cohort. A recipe that is not trained is, first.
    """
    with report_refusals():
        chosen, made = _trained(recipe, run, seed, threads, processes, few)
        from explorer.cohorts.layout import folder
        from explorer.lab.publish import name_of, publish
        from explorer.scoring.run import place_for

        phantom = folder("phantom")
        said = publish(phantom, place_for(phantom, name_of(made)), chosen, made)
        say(f"phantom has the model {said.model}: {said.scored:,} films, {len(said.findings)} findings.")


@lab.command()
def compare(run: Annotated[Path | None, typer.Option(help="Folder of your own trainings.")] = None) -> None:
    """Compare trained recipes on the test films: means by frequency group, intervals, differences, what each costs.

    Without RUN, those that ship. Intervals are 95 %, over resamples of films; differences are to the baseline on the
    same resamples.
    """
    with report_refusals():
        from explorer.lab.comparison import METRICS, compared, costs_text, text_of
        from explorer.lab.run import done
        from explorer.lab.ship import SHIPPED_RUNS

        recipes = done(run or SHIPPED_RUNS)
        figures = compared(recipes)
        for metric in METRICS:
            say(text_of(figures, metric))
        say(costs_text(recipes))


@lab.command("zero-shot")
def zero_shot() -> None:
    """Compare the ways to ask the phantom's six unseen findings: mean AP and AUROC, paired differences.

    `python -m explorer.lab.zero_shot --run RUN` makes them again.
    """
    with report_refusals():
        from explorer.cohorts.layout import folder
        from explorer.lab.zero_shot.comparison import compared, text_of

        say(text_of(compared(folder("phantom"))))


@lab.command()
def real() -> None:
    """Compare the classifiers of real films: out-of-fold AUROC by finding, paired differences to nih-mini."""
    with report_refusals():
        from explorer.lab.real_films import compared, out_of_fold, text_of

        say(text_of(compared(out_of_fold())))


def _trained(
    name: str, run: Path, seed: int, threads: int, processes: int, few: int | None
) -> tuple[LabRecipe, Trained]:
    """A recipe and what it came to: trained first where it is not."""
    from explorer.cli.lab_progress import epochs_logged
    from models.training.lab_recipe import lab_recipe

    recipe = lab_recipe(name)
    from explorer.lab.films import phantom_films  # takes seconds, which no refused name waits for
    from explorer.lab.run import trained
    from models.training.processor import processor_for_training

    with epochs_logged(), processor_for_training(threads):
        films = phantom_films(run, recipe.stages[0].size, processes, few)
        return recipe, trained(run, recipe, films, seed)
