"""Compares the lab's recipes: means over seeds, differences from the baseline, and costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.leaderboard.groups import NORMAL
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.analysis.leaderboard.means import Board
from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.metrics.bootstrap import percentile_interval
from models.statistics import mean_intervals

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest, Training
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class RecipeModels:
    """Models that differ only in seed; `models` are their indices, `training` describes the first model.

    A model from outside the lab forms its own entry, without training and costs. `core_minutes` is the mean over seeds;
    `milliseconds` per film is the minimum, because seeds do not change the work.
    """

    name: str
    models: tuple[int, ...]
    seeds: tuple[int, ...]  # empty for a model from outside the lab
    training: Training | None
    core_minutes: float | None
    milliseconds: float | None


@dataclass(frozen=True, slots=True)
class RecipeFigure:
    """A metric's mean over findings and seeds with its 95 % interval; NaN if undefined or not yet computed.

    `least` and `most` are the lowest and highest values of single seeds. `ahead` is the difference from the baseline,
    paired by resample and, where possible, by seed; NaN for the baseline itself.
    """

    value: float
    low: float
    high: float
    least: float
    most: float
    ahead: float
    ahead_low: float
    ahead_high: float


def recipes_of(store: Store, cohort: str, models: Sequence[str]) -> tuple[RecipeModels, ...]:
    """Return the recipes of a cohort's models, sorted by name."""
    seeds: dict[str, list[int]] = {}
    about = [store.model(cohort, model) for model in models]
    for place, each in enumerate(about):
        seeds.setdefault(each.model if each.training is None else each.training.recipe, []).append(place)
    return tuple(_recipe(name, tuple(places), about) for name, places in sorted(seeds.items()))


def baseline_index(recipes: Sequence[RecipeModels], reference: int) -> int:
    """Return the index of the recipe to compare with: the lab's baseline if present.

    Otherwise it is the recipe of the model with index `reference`.
    """
    named = {each.training.baseline for each in recipes if each.training}
    for place, each in enumerate(recipes):
        if each.training and each.name in named:
            return place
    return next(place for place, each in enumerate(recipes) if reference in each.models)


def recipe_figures(
    board: Board, recipes: Sequence[RecipeModels], baseline: int, measure: BoardMeasure
) -> Mapping[tuple[int, int], RecipeFigure]:
    """Return the figure of each recipe for each part of the board, by their indices."""
    return {
        (recipe, part): _figure(board, part, measure, recipes, recipe, baseline)
        for recipe in range(len(recipes))
        for part in range(len(board.parts))
    }


def called_on_normal(joint: JointScores, recipes: Sequence[RecipeModels]) -> tuple[Estimate | None, ...]:
    """Return each recipe's mean number of findings, not counting Normal itself, called on films labeled Normal.

    The mean is over films and seeds, with a 95 % interval over patients, at the models' own thresholds, on the `n`
    films where no recipe lacks a threshold that it has elsewhere. None for a recipe without thresholds, or if there are
    no Normal films.
    """
    if NORMAL not in joint.findings:
        return (None,) * len(recipes)
    others = [place for place, finding in enumerate(joint.findings) if finding != NORMAL]
    called = joint.called[:, :, others]  # -1: no threshold
    has = np.asarray((called >= 0).any(axis=1))  # (models, findings)
    comparable = ((called >= 0) | ~has[:, None]).all(axis=(0, 2))
    films = (joint.labels[:, joint.findings.index(NORMAL)] == 1) & comparable
    if not films.any():
        return (None,) * len(recipes)
    counts = np.maximum(called[:, films], 0).sum(axis=2)  # (models, films)
    means = np.stack([counts[list(each.models)].mean(axis=0) for each in recipes], axis=1)
    found = zip(recipes, *mean_intervals(means, joint.patients[films].astype(np.str_)), strict=True)
    return tuple(
        Estimate(float(value), float(low), float(high), int(films.sum()))
        if has[list(each.models)].any(axis=1).all()
        else None
        for each, value, low, high in found
    )


def _recipe(name: str, places: tuple[int, ...], about: Sequence[ModelManifest]) -> RecipeModels:
    trainings = [each for each in (about[place].training for place in places) if each]
    if not trainings:
        return RecipeModels(name, places, (), None, None, None)
    minutes = float(np.mean([each.core_minutes for each in trainings]))
    return RecipeModels(
        name,
        places,
        tuple(each.seed for each in trainings),
        trainings[0],
        minutes,
        min(each.milliseconds for each in trainings),
    )


def _figure(
    board: Board, part: int, measure: BoardMeasure, recipes: Sequence[RecipeModels], recipe: int, baseline: int
) -> RecipeFigure:
    means = board.means[part, measure]
    own, other = list(recipes[recipe].models), _paired_models(recipes[recipe], recipes[baseline])
    value, alone = means.point[own].mean(), means.point[own]
    low, high = percentile_interval(_seeds(means.samples, own), means.units)
    if recipe == baseline:
        ahead = ahead_low = ahead_high = float("nan")
    else:
        ahead = value - means.point[other].mean()
        ahead_low, ahead_high = percentile_interval(
            _seeds(means.samples, own) - _seeds(means.samples, other), means.units
        )
    return RecipeFigure(
        float(value), low, high, float(alone.min()), float(alone.max()), float(ahead), ahead_low, ahead_high
    )


def _paired_models(recipe: RecipeModels, baseline: RecipeModels) -> list[int]:
    """Return the baseline's models that share the recipe's seeds; all of them if none match."""
    by_seed = dict(zip(baseline.seeds, baseline.models, strict=False))
    return [by_seed[seed] for seed in recipe.seeds if seed in by_seed] or list(baseline.models)


def _seeds(samples: Floats, models: list[int]) -> Floats:
    """Return the mean over seeds in each resample, (resamples,)."""
    mean: Floats = samples[:, models].mean(axis=1)
    return mean
