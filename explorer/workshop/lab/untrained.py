"""Finds which systems of the papers still need training, and how many epochs each would take."""

from __future__ import annotations

from pathlib import Path

from explorer.workshop.lab.trained import SCORES_FILE, SHIPPED_RUNS
from models.training.lab_recipe import LabRecipe, checkpoint_of, lab_recipe, recipe_names


def untrained_systems(run: Path, seed: int, shipped: Path = SHIPPED_RUNS) -> tuple[tuple[LabRecipe, int], ...]:
    """Return the recipes that stand for a system and have no results, in `run` or `shipped`, with this seed.

    The second of each pair counts the epochs that the run still needs for it, with all recipes that it builds on; the
    fewest come first.
    """
    recipes = [recipe for recipe in map(lab_recipe, recipe_names()) if recipe.system]
    missing = [each for each in recipes if not any(_finished(place, each, seed) for place in (run, shipped))]
    needed = [(recipe, sum(each.epochs for each in _unfinished(run, recipe, seed).values())) for recipe in missing]
    return tuple(sorted(needed, key=lambda pair: (pair[1], pair[0].name)))


def _unfinished(run: Path, recipe: LabRecipe, seed: int) -> dict[str, LabRecipe]:
    """Return the recipes by name that training this one would train in the run."""
    if _finished(run, recipe, seed):
        return {}
    found = {recipe.name: recipe}
    members = dict.fromkeys(checkpoint_of(each)[0] for each in recipe.of)
    for name in (*members, recipe.after, recipe.teacher, recipe.judge):
        if name is not None:
            found |= _unfinished(run, recipe.other(name), seed)
    return found


def _finished(place: Path, recipe: LabRecipe, seed: int) -> bool:
    return (place / f"{recipe.name}-{seed}" / SCORES_FILE).is_file()
