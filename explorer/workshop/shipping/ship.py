"""Ships a lab run: `python -m explorer.workshop.shipping.ship --run RUN`.

Every training in RUN becomes a model of the shipped cohort `phantom`, without its weights; its scores of validation and
test films are stored for `lab compare`. `ship_phantom` makes the two that ship with weights.
"""

from __future__ import annotations

import argparse
import shutil
from dataclasses import replace
from pathlib import Path

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.workshop.lab.films import PHANTOM_COHORT
from explorer.workshop.lab.publish import publish_training, training_facts
from explorer.workshop.lab.run import training_folder, trainings_in
from explorer.workshop.lab.trained import SCORES_FILE, SHIPPED_RUNS, TrainedRecipe
from models.training.lab_recipe import lab_recipe, recipe_names
from models.whole_file import atomic_write

# The best trainings by validation: recipe and seed, and the model's name in the registry and the cohort.
WITH_WEIGHTS = {("half-class-aware-masks", 0): PHANTOM_COHORT, ("class-aware-masks", 1): "lab-class-aware-masks-1"}


def main() -> None:
    """Ship all trainings of the run."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.ship", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    ship_trainings(parser.parse_args().run, Folder(CACHE / "phantom"), SHIPPED_RUNS)


def shipped_name(made: TrainedRecipe) -> str:
    """Return a shipped training's model name in the cohort."""
    return WITH_WEIGHTS.get((made.recipe, made.seed), f"lab-{made.name}")


def has_weights(made: TrainedRecipe) -> bool:
    """Return whether a training ships with its weights."""
    return (made.recipe, made.seed) in WITH_WEIGHTS


def ship_trainings(run: Path, cohort: Folder, kept: Path) -> None:
    """Write every training of `run` into the cohort, and its scores into `kept`."""
    for recipe, seeds in trainings_in(run).items():
        if recipe not in recipe_names():  # a recipe that was only tried
            continue
        for made in seeds:
            if has_weights(made):
                _add_training(cohort, made)
            else:
                publish_training(cohort, cohort, shipped_name(made), lab_recipe(recipe), made)
            target = training_folder(kept, recipe, made.seed)
            target.mkdir(parents=True, exist_ok=True)
            with atomic_write(target / SCORES_FILE) as partial:
                shutil.copyfile(training_folder(run, recipe, made.seed) / SCORES_FILE, partial)


def _add_training(cohort: Folder, made: TrainedRecipe) -> None:
    """Add the training's facts to a model that already has scores."""
    path = cohort.model(shipped_name(made))
    training = training_facts(lab_recipe(made.recipe), made)
    write_manifest(path, replace(read_model_manifest(path), training=training))


if __name__ == "__main__":
    main()
