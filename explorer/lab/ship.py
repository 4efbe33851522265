"""From a run of the lab to what ships: `python -m explorer.lab.ship --run RUN` makes every training in RUN a model of
the shipped cohort `phantom`, and keeps what it said of validation and test films for `lab compare`. No weights.

One of them is the model `phantom` itself, which `explorer.lab.ship_phantom` makes: it does not become another model.
"""

from __future__ import annotations

import argparse
import shutil
from dataclasses import replace
from pathlib import Path

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.lab.films import PHANTOM
from explorer.lab.publish import publish, training_of
from explorer.lab.run import done, folder_of
from explorer.lab.trained import SAID, Trained
from models.training.lab_recipe import lab_recipe
from models.whole_file import replaced

SHIPPED_RUNS = Path(__file__).parent / "results"
PHANTOM_RECIPE, PHANTOM_SEED = "half-class-aware-masks", 0  # of the training that ships as `phantom`


def main() -> None:
    """Ship what is there."""
    parser = argparse.ArgumentParser(prog="python -m explorer.lab.ship", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    ship(parser.parse_args().run, Folder(CACHE / "phantom"), SHIPPED_RUNS)


def name_of(made: Trained) -> str:
    """What a shipped training is called in the cohort."""
    return f"lab-{made.name}"


def is_phantom(made: Trained) -> bool:
    """Whether it is the training that ships with its weights, as `phantom`."""
    return (made.cohort, made.recipe, made.seed) == (PHANTOM, PHANTOM_RECIPE, PHANTOM_SEED)


def ship(run: Path, cohort: Folder, kept: Path) -> None:
    """Every training of `run` into the cohort's own folder, and what it said into `kept`."""
    for recipe, seeds in done(run).items():
        for made in seeds:
            if is_phantom(made):
                _tell(cohort, made)
            else:
                publish(cohort, cohort, name_of(made), lab_recipe(recipe), made)
            target = folder_of(kept, recipe, made.seed)
            target.mkdir(parents=True, exist_ok=True)
            with replaced(target / SAID) as partial:
                shutil.copyfile(folder_of(run, recipe, made.seed) / SAID, partial)


def _tell(cohort: Folder, made: Trained) -> None:
    """The model `phantom` has scores of its own; how it was trained is known here alone."""
    path = cohort.model(PHANTOM)
    training = training_of(lab_recipe(made.recipe), made)
    write_manifest(path, replace(read_model_manifest(path), training=training))


if __name__ == "__main__":
    main()
