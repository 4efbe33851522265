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
from explorer.workshop.lab.films import PHANTOM
from explorer.workshop.lab.publish import publish, training_of
from explorer.workshop.lab.run import done, folder_of
from explorer.workshop.lab.trained import SAID, SHIPPED_RUNS, Trained
from models.training.lab_recipe import lab_recipe
from models.whole_file import atomic_write

# The best by validation: from recipe and seed to the model's name in the registry and the cohort.
WITH_WEIGHTS = {("half-class-aware-masks", 0): PHANTOM, ("class-aware-masks", 1): "lab-class-aware-masks-1"}


def main() -> None:
    """Ship all trainings of the run."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.ship", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    ship(parser.parse_args().run, Folder(CACHE / "phantom"), SHIPPED_RUNS)


def name_of(made: Trained) -> str:
    """Return a shipped training's model name in the cohort."""
    return WITH_WEIGHTS.get((made.recipe, made.seed), f"lab-{made.name}")


def has_weights(made: Trained) -> bool:
    """Return whether a training ships with its weights."""
    return (made.recipe, made.seed) in WITH_WEIGHTS


def ship(run: Path, cohort: Folder, kept: Path) -> None:
    """Write every training of `run` into the cohort, and its scores into `kept`."""
    for recipe, seeds in done(run).items():
        for made in seeds:
            if has_weights(made):
                _add_training(cohort, made)
            else:
                publish(cohort, cohort, name_of(made), lab_recipe(recipe), made)
            target = folder_of(kept, recipe, made.seed)
            target.mkdir(parents=True, exist_ok=True)
            with atomic_write(target / SAID) as partial:
                shutil.copyfile(folder_of(run, recipe, made.seed) / SAID, partial)


def _add_training(cohort: Folder, made: Trained) -> None:
    """Add the training's facts to a model that already has its own scores."""
    path = cohort.model(name_of(made))
    training = training_of(lab_recipe(made.recipe), made)
    write_manifest(path, replace(read_model_manifest(path), training=training))


if __name__ == "__main__":
    main()
