"""Times the shipped recipes together, per film: `python -m explorer.workshop.shipping.film_time`.

The times of separate trainings are affected by other load; these replace them. Untrained networks are used, because
weights do not affect the time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab.run import finished_trainings, training_folder
from explorer.workshop.lab.timing import TIMED_FILMS, milliseconds_per_film
from explorer.workshop.lab.trained import SHIPPED_RUNS, TrainedRecipe
from explorer.workshop.shipping.ship import shipped_name
from models.training.inference.registry import build_inference
from models.training.lab_recipe import LabRecipe, lab_recipe
from models.training.network import new_network, predict
from models.training.network_at_size import NetworkAtSize

TIMING_ROUNDS = 3
TRAITS = 3  # view, sex and age
PREVALENCE = 0.1  # prevalence of every finding; any value will do
Predict = Callable[[NDArray[np.uint8]], NDArray[np.float32]]


def main() -> None:
    """Time the recipes and write the times."""
    argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.film_time", description=__doc__).parse_args()
    shipped = finished_trainings(SHIPPED_RUNS)
    write_times(
        time_recipes(shipped),
        [one for seeds in shipped.values() for one in seeds],
        Folder(CACHE / "phantom"),
        SHIPPED_RUNS,
    )


def time_recipes(recipes: Iterable[str], rounds: int = TIMING_ROUNDS) -> dict[str, float]:
    """Return processor milliseconds per film by recipe: the least of `rounds` rounds of alternating recipes."""
    works = {name: _work(lab_recipe(name)) for name in recipes}
    alike = {work: lab_recipe(name) for name, work in works.items()}  # equal work is timed once
    answers = {work: (_answer(recipe), _films(recipe)) for work, recipe in alike.items()}
    found = [{work: milliseconds_per_film(*answers[work]) for work in answers} for _ in range(rounds)]
    return {name: min(each[work] for each in found) for name, work in works.items()}


def write_times(times: dict[str, float], trainings: Iterable[TrainedRecipe], cohort: Folder, kept: Path) -> None:
    """Write the times into the stored trainings and the cohort's models."""
    for made in trainings:
        took = times[made.recipe]
        replace(made, cost=replace(made.cost, milliseconds=took)).write(training_folder(kept, made.recipe, made.seed))
        path = cohort.model(shipped_name(made))
        manifest = read_model_manifest(path)
        assert manifest.training is not None
        write_manifest(path, replace(manifest, training=replace(manifest.training, milliseconds=took)))


def _work(recipe: LabRecipe) -> str:
    """Return a key for the computation per film, equal for recipes that differ only in training."""
    networks = recipe.members() or [recipe]
    parts = [(each.stages[-1].architecture, each.size, each.head, each.stages[-1].mask_weight > 0) for each in networks]
    return repr((parts, recipe.inference))


def _films(recipe: LabRecipe) -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 256, (TIMED_FILMS, recipe.size, recipe.size), dtype=np.uint8)


def _answer(recipe: LabRecipe) -> Predict:
    networks = [_network(each) for each in recipe.members() or [recipe]]
    if recipe.inference is None:
        return lambda pixels: predict(networks[0], pixels, len(SEEN_FINDINGS))
    inference = build_inference(recipe.inference.name, recipe.inference.parameters, len(networks))
    return lambda pixels: inference(networks, pixels, dict.fromkeys(SEEN_FINDINGS, PREVALENCE))


def _network(recipe: LabRecipe) -> nn.Module:
    prevalence = np.full(len(SEEN_FINDINGS), PREVALENCE, dtype=np.float32)
    torch.manual_seed(0)
    network = new_network(recipe.stages[-1], recipe.head, prevalence, TRAITS, {})  # weights do not change the time
    return NetworkAtSize(network.eval(), recipe.size)


if __name__ == "__main__":
    main()
