"""Makes the phantom's models: `python -m explorer.workshop.shipping.ship_phantom --run RUN`.

Takes the networks in WITH_WEIGHTS, trained by the lab and chosen on validation films, and trains those that RUN lacks.
Makes classifiers of them, projects `phantom` into the text space of nih-mini-vlm as `phantom-vlm`, and writes weights,
registry files and cards. An interrupted run resumes where it stopped. With --few everything is small and goes into
RUN/shipped, for a quick trial of every step.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from explorer.workshop.lab.films import PHANTOM_COHORT, lab_films
from explorer.workshop.lab.phantom_splits import Splits, rendered_splits
from explorer.workshop.lab.run import FINAL_WEIGHTS, train_recipe, training_folder
from explorer.workshop.shipping.ship import WITH_WEIGHTS
from explorer.workshop.shipping.training import classifier, vlm
from explorer.workshop.shipping.training.checkpoint import Checkpoint
from explorer.workshop.shipping.training.place import SHIPPED_FOLDERS, ShippingFolders, trial_folders
from models.training.lab_recipe import LabRecipe, lab_recipe
from models.training.processor import processor_for_training


def main() -> None:
    """Run all steps that are not yet done."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.ship_phantom", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of films and trainings")
    parser.add_argument("--only", nargs="*", choices=WITH_WEIGHTS.values(), default=list(WITH_WEIGHTS.values()))
    parser.add_argument("--few", type=int, help="for a trial: this many training films, half as many of the others")
    parser.add_argument("--processes", type=int, default=2, help="number of rendering processes")
    parser.add_argument("--threads", type=int, default=2, help="number of training threads")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    place = SHIPPED_FOLDERS if options.few is None else trial_folders(options.run / "shipped")
    for (recipe, seed), name in WITH_WEIGHTS.items():
        if name in options.only:
            made = lab_recipe(recipe)
            splits = rendered_splits(options.run, made.size, options.processes, options.few)
            with processor_for_training(options.threads):
                ship_phantom_model(options.run, made, seed, splits, place, name)


def ship_phantom_model(
    run: Path, recipe: LabRecipe, seed: int, splits: Splits, place: ShippingFolders, name: str
) -> None:
    """Make the model `name` from a recipe's network, training it if needed; for `phantom` also the image-text model."""
    made = train_recipe(run, recipe, lab_films(splits), seed)
    checkpoint = Checkpoint(training_folder(run, recipe.name, seed) / FINAL_WEIGHTS, recipe, made.epoch, seed)
    shipped = classifier.ship_classifier(splits, checkpoint, place, name)
    if name == PHANTOM_COHORT:
        vlm.ship_vlm(splits, shipped, place)


if __name__ == "__main__":
    main()
