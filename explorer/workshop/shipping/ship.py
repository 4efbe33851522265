"""From a run of the lab to what ships: `python -m explorer.workshop.shipping.ship --run RUN`.

Every training in RUN becomes a model of the shipped cohort `phantom`, without its weights; its scores of validation
and test films are kept for `lab compare`. The two that ship with weights are made by `ship_phantom`.
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

# The best by validation: by recipe and seed, what the network is called where models are loaded and in the cohort.
WITH_WEIGHTS = {("half-class-aware-masks", 0): PHANTOM, ("class-aware-masks", 1): "lab-class-aware-masks-1"}


def main() -> None:
    """Ship what is there."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.ship", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    ship(parser.parse_args().run, Folder(CACHE / "phantom"), SHIPPED_RUNS)


def name_of(made: Trained) -> str:
    """What a shipped training is called in the cohort."""
    return WITH_WEIGHTS.get((made.recipe, made.seed), f"lab-{made.name}")


def has_weights(made: Trained) -> bool:
    """Whether it is a training that ships with its weights."""
    return (made.recipe, made.seed) in WITH_WEIGHTS


def ship(run: Path, cohort: Folder, kept: Path) -> None:
    """Every training of `run` into the cohort's own folder, and what it said into `kept`."""
    for recipe, seeds in done(run).items():
        for made in seeds:
            if has_weights(made):
                _tell(cohort, made)
            else:
                publish(cohort, cohort, name_of(made), lab_recipe(recipe), made)
            target = folder_of(kept, recipe, made.seed)
            target.mkdir(parents=True, exist_ok=True)
            with atomic_write(target / SAID) as partial:
                shutil.copyfile(folder_of(run, recipe, made.seed) / SAID, partial)


def _tell(cohort: Folder, made: Trained) -> None:
    """The model has scores of its own; how it was trained is known here alone."""
    path = cohort.model(name_of(made))
    training = training_of(lab_recipe(made.recipe), made)
    write_manifest(path, replace(read_model_manifest(path), training=training))


if __name__ == "__main__":
    main()
