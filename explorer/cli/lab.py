"""`lab`: train the challenge's long-tail recipes on the same simulated films and compare them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.options import ImageFolders, OnDevice, image_folders
from explorer.cli.say import say
from explorer.core.figures import fixed, share_text

if TYPE_CHECKING:
    from explorer.workshop.lab.films import LabFilms
    from explorer.workshop.lab.trained import TrainedRecipe
    from models.training.lab_recipe import LabRecipe

lab = typer.Typer(no_args_is_help=True, help="Train long-tail recipes on the same films and compare them.")

RECIPE_HELP = "Name of a recipe, see `lab list`, or the path of your own: a TOML file."
RecipeName = Annotated[str, typer.Argument(help=RECIPE_HELP)]
Run = Annotated[Path, typer.Option(help="Folder for films, networks and scores.")]
Seed = Annotated[int, typer.Option(min=0)]
Threads = Annotated[int, typer.Option(min=1, help="CPU threads for training.")]
Processes = Annotated[int, typer.Option(min=1, help="Processes that render missing films.")]
CohortName = Annotated[
    str | None,
    typer.Option(
        "--cohort",
        help="Films to train on: the simulated ones (phantom, rendered first), or a cohort of your own. Default: the "
        "cohort this run started with, or phantom.",
    ),
]
Few = Annotated[int | None, typer.Option(min=40, help="For a trial: training films; half as many of the other films.")]


MAX_NAMED = 20  # unreadable films listed with their reason; the others are counted


@lab.command("list")
def list_recipes() -> None:
    """List the recipes: what each changes, who proposed it, which team used it."""
    from models.training.lab_recipe import lab_recipe, recipe_names

    with report_refusals():
        for name in recipe_names():
            recipe = lab_recipe(name)
            team = f" Used by {recipe.team}." if recipe.team else ""
            say(f"{name}: {recipe.title}. Changes {recipe.changes}. {recipe.source}.{team}")


@lab.command("systems")
def list_systems(
    system: Annotated[str | None, typer.Argument(help="Name of a system; all by default.")] = None,
    write: Annotated[
        Path | None, typer.Option(help="Folder for the system's recipes at their published size, to train on a GPU.")
    ] = None,
) -> None:
    """List the systems of the challenge's teams: what they printed, the recipe that stands for them, what is missing.

    \b
    Examples:
      python -m explorer lab systems
      python -m explorer lab systems 2026-task1-a
      python -m explorer lab systems 2026-task1-a --write DIR
    """
    with report_refusals():
        from explorer.cli.lab_systems import describe_system, describe_systems, write_full_recipes
        from models.training.lab_system import lab_system

        if system is None:
            say(describe_systems())
        elif write is None:
            say(describe_system(lab_system(system)))
        else:
            say(write_full_recipes(lab_system(system), write))


@lab.command()
def train(
    run: Run,
    recipe: Annotated[str | None, typer.Argument(help=RECIPE_HELP)] = None,
    systems: Annotated[
        bool, typer.Option("--systems", help="Instead of a recipe: every system of the papers without results yet.")
    ] = False,
    seed: Seed = 0,
    threads: Threads = 2,
    processes: Processes = 2,
    few: Few = None,
    cohort: CohortName = None,
    images: ImageFolders = None,
    device: OnDevice = "auto",
) -> None:
    """Train a recipe with a seed, and save its scores of validation and test films.

    An interrupted training resumes after its last full epoch and ends with the same weights; on a GPU, which computes
    with 16 bits, nearly the same. If a recipe starts from another one, that is trained first. Films of your own cohort
    are split by patient: three fifths for training, one fifth for choosing the epoch, one fifth for testing. Unknown
    labels are left out. With --systems, the shortest training comes first; the same command goes on with what is
    missing.

    \b
    Examples:
      python -m explorer lab train crt --run RUN --seed 1
      python -m explorer lab train --systems --run RUN
      python -m explorer lab train bce --run RUN --cohort my-hospital --images my-hospital=/data/films
      python -m explorer lab train mine.toml --run RUN --cohort my-hospital --images my-hospital=/data/films

    \b
    Exit codes:
      0  done; unreadable films and findings with too few films are listed
      2  wrong input: no such recipe, a recipe that is invalid or does not suit the films, or a cohort without films
    """
    with report_refusals():
        if systems == (recipe is not None):
            raise typer.BadParameter("Give either a recipe or --systems.")
        for chosen in _untrained(run, seed) if recipe is None else iter([_recipe(recipe)]):
            films = _Films(_cohort(run, cohort), images, processes, few)
            made = _trained(chosen, run, seed, threads, films, device)
            counted = " (counted by study)" if chosen.study_films else ""
            result = f"mAP {share_text(max(made.curve), 3)} on {len(made.validation.cases):,} validation films{counted}"
            minutes = fixed(made.cost.seconds / 60, 1)
            say(f"{made.recipe}, seed {seed}: {result}, epoch {made.epoch} of the last stage, {minutes} min.")


@lab.command()
def score(
    recipe: RecipeName,
    run: Run,
    seed: Seed = 0,
    threads: Threads = 2,
    processes: Processes = 2,
    few: Few = None,
    cohort: CohortName = None,
    images: ImageFolders = None,
    device: OnDevice = "auto",
) -> None:
    """Add a trained recipe to the cohort's models: Explore and Evaluate list it as `own-RECIPE-SEED`.

    Only the test films are scored. Results for phantom are saved where this machine keeps its additions to shipped
    cohorts. An untrained recipe is trained first.
    """
    with report_refusals():
        chosen = _recipe(recipe)
        known = _cohort(run, cohort)
        from explorer.cohorts.layout import cohort_folder
        from explorer.scoring.run import scores_folder
        from explorer.workshop.lab.publish import publish_training

        # Not `lab-...`: shipped cohorts have the lab's trainings.
        place, name = cohort_folder(known), f"own-{chosen.name}-{seed}"
        target = scores_folder(place, name)
        made = _trained(chosen, run, seed, threads, _Films(known, images, processes, few), device)
        manifest = publish_training(place, target, name, chosen, made)
        say(
            f"{known} now has the model {manifest.model}: {manifest.scored:,} films, {len(manifest.findings)} findings."
        )


@lab.command()
def compare(
    run: Annotated[Path | None, typer.Option(help="Folder of your own trainings.")] = None,
    center: Annotated[str | None, typer.Option(help="Only test films of this center.")] = None,
) -> None:
    """Compare trained recipes on the test films: means by frequency group, intervals, differences and costs.

    Without --run, the shipped trainings are compared. Intervals are 95 %, over resamples of films; differences are to
    the baseline on the same resamples.
    """
    with report_refusals():
        from explorer.workshop.lab.comparison import (
            COMPARED_METRICS,
            compare_recipes,
            comparison_table,
            cost_table,
            groups_words,
        )
        from explorer.workshop.lab.run import finished_trainings
        from explorer.workshop.lab.trained import SHIPPED_RUNS

        recipes = finished_trainings(run or SHIPPED_RUNS)
        figures = compare_recipes(recipes, center=center)
        for metric in COMPARED_METRICS:
            say(comparison_table(figures, metric))
        say(groups_words(next(iter(recipes.values()))[0].findings))
        say(cost_table(recipes))


@lab.command("findings")
def compare_findings(
    recipes: Annotated[list[str], typer.Argument(help="Two or more trained recipes; the first is compared with.")],
    run: Annotated[Path | None, typer.Option(help="Folder of your own trainings.")] = None,
    metric: Annotated[Literal["AP", "AUROC"], typer.Option(help="What is compared.")] = "AUROC",
) -> None:
    """Compare trained recipes finding by finding on the test films: paired differences, which is best, its lead.

    \b
    Example, CheXpert's policies for uncertain labels against exact ones:
      python -m explorer lab findings uncertain-ignore uncertain-zeros uncertain-ones uncertain-self-trained \\
        uncertain-three-class --run RUN
    """
    with report_refusals():
        from explorer.workshop.lab.finding_comparison import (
            compare_by_finding,
            finding_table,
            recipes_named,
            winners_words,
        )
        from explorer.workshop.lab.run import trainings_in
        from explorer.workshop.lab.trained import SHIPPED_RUNS

        figures = compare_by_finding(recipes_named(recipes, trainings_in(run or SHIPPED_RUNS)), metric)
        say(finding_table(figures, metric))
        say(winners_words(figures))


@lab.command("zero-shot")
def zero_shot() -> None:
    """Compare prompting strategies on the phantom's six unseen findings: mean AP and AUROC, paired differences.

    `python -m explorer.workshop.shipping.zero_shot --run RUN` recomputes the figures.
    """
    with report_refusals():
        from explorer.cohorts.layout import cohort_folder
        from explorer.workshop.lab.zero_shot_comparison import compare_ways, zero_shot_table

        say(zero_shot_table(compare_ways(cohort_folder("phantom"))))


@lab.command()
def real() -> None:
    """Compare classifiers of real films: out-of-fold AUROC by finding, paired differences to nih-mini."""
    with report_refusals():
        from explorer.workshop.lab.real_films import (
            compare_by_folder,
            compare_models,
            read_out_of_fold,
            real_films_table,
        )

        films = read_out_of_fold()
        say(real_films_table((*compare_models(films), *compare_by_folder(films))))


@lab.command("starts")
def compare_starts(
    against: Annotated[
        str | None, typer.Option(help="The initialization to compare the others with; ImageNet's by default.")
    ] = None,
) -> None:
    """Compare initializations for real films: linear probes by number of films, paired differences."""
    with report_refusals():
        from explorer.workshop.lab.simulated_starts import compare_starts, starts_table
        from models.cards.start_probes import start_figures

        say(starts_table(start_figures() if against is None else compare_starts(against)))


@dataclass(frozen=True, slots=True)
class _Films:
    """The films of a training, as the options select them."""

    cohort: str
    images: list[str] | None
    processes: int
    few: int | None

    def read(self, run: Path, size: int) -> LabFilms:
        """Return the films, rendering or reading those missing in the run's folder; print what is left out."""
        from explorer.workshop.lab.films import PHANTOM_COHORT, phantom_films

        if self.cohort == PHANTOM_COHORT:
            return phantom_films(run, size, self.processes, self.few)
        from explorer.cli.time_left import time_left
        from explorer.cohorts.images import Images
        from explorer.cohorts.layout import cohort_folder
        from explorer.workshop.lab.own_films import read_own_films

        with time_left("films") as progress:
            found = read_own_films(
                cohort_folder(self.cohort), Images(dict(image_folders(self.images or []))), run, size, progress
            )
        for case, reason in list(found.failures.items())[:MAX_NAMED]:
            say(f"{case}: {reason}")
        if len(found.failures) > MAX_NAMED:
            say(f"{len(found.failures):,} films in total cannot be read.")
        if found.rare:
            named = ", ".join(f"{finding} ({films:,})" for finding, films in found.rare.items())
            say(f"Not trained, because too few films have them: {named}.")
        return found.films


def _recipe(name_or_file: str) -> LabRecipe:
    """Return a recipe, and refuse one that is unknown or wrong before anything is written."""
    from models.training.lab_recipe import WrongRecipe, recipe_named

    found = recipe_named(name_or_file)
    _ = found.film_size  # finds every recipe that it builds on
    for start in (Path(stage.start) for stage in found.stages):
        if start.is_absolute() and not start.is_file():
            raise WrongRecipe(f"The start of {found.name} is missing", f"There is no file {start}. Correct `start`.")
    return found


def _untrained(run: Path, seed: int) -> Iterator[LabRecipe]:
    """Yield the shortest system without results until there is none; each may share networks with those before it."""
    from explorer.workshop.lab.untrained import untrained_systems

    while left := untrained_systems(run, seed):
        epochs = sum(count for _, count in left)
        (chosen, needs), *others = left
        say(f"{chosen.name} needs {needs} epochs. After it: {len(others)} systems; all need at most {epochs} epochs.")
        yield chosen
    say(f"Every system has results with seed {seed}.")


def _cohort(run: Path, named: str | None) -> str:
    """Return the cohort of a run. Refuses an unknown one before anything is written."""
    from explorer.cohorts.layout import cohort_folder
    from explorer.workshop.lab.run_cohort import cohort_of_run

    if named is not None:
        cohort_folder(named)
    return cohort_of_run(run, named)


def _trained(recipe: LabRecipe, run: Path, seed: int, threads: int, films: _Films, device: str) -> TrainedRecipe:
    """Return a recipe's training, which is run first if needed."""
    from explorer.cli.lab_progress import epochs_logged
    from explorer.workshop.lab.run import train_recipe
    from models.device import usable_device
    from models.training.processor import processor_for_training

    chosen = usable_device(device)  # refused before films are read
    with epochs_logged(), processor_for_training(threads):
        return train_recipe(run, recipe, films.read(run, recipe.film_size), seed, chosen)
