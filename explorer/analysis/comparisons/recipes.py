"""Recipes of the lab side by side: the mean over seeds of each, its difference to the baseline, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.leaderboard.groups import NORMAL
from explorer.analysis.leaderboard.joint_metrics import Measure
from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.analysis.leaderboard.means import Board
from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.metrics.bootstrap import interval
from models.statistics import mean_intervals

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest, Training
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Recipe:
    """Models that differ in their seed alone: `models` are their places and `seeds` their seeds, `training` is that of
    the first.

    A model that the lab did not train is alone, without training and costs. `core_minutes` are the mean over seeds,
    `milliseconds` a film the least: another seed is no other work.
    """

    name: str
    models: tuple[int, ...]
    seeds: tuple[int, ...]  # none of a model that the lab did not train
    training: Training | None
    core_minutes: float | None
    milliseconds: float | None


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a metric over findings and seeds with its 95 % interval; NaN where undefined or still to come.

    `least` and `most` are those of single seeds. The difference to the baseline is paired: on the same resamples,
    to its models of the same seeds where there are such; NaN of the baseline itself.
    """

    value: float
    low: float
    high: float
    least: float
    most: float
    ahead: float
    ahead_low: float
    ahead_high: float


def recipes_of(store: Store, cohort: str, models: Sequence[str]) -> tuple[Recipe, ...]:
    """The recipes of the models of a cohort, in the order of their names."""
    seeds: dict[str, list[int]] = {}
    about = [store.model(cohort, model) for model in models]
    for place, each in enumerate(about):
        seeds.setdefault(each.model if each.training is None else each.training.recipe, []).append(place)
    return tuple(_recipe(name, tuple(places), about) for name, places in sorted(seeds.items()))


def baseline_of(recipes: Sequence[Recipe], reference: int) -> int:
    """The place of the recipe that others differ from: the lab's baseline where it is among them.

    Otherwise that of the model at the place `reference`.
    """
    named = {each.training.baseline for each in recipes if each.training}
    for place, each in enumerate(recipes):
        if each.training and each.name in named:
            return place
    return next(place for place, each in enumerate(recipes) if reference in each.models)


def figures_of(
    board: Board, recipes: Sequence[Recipe], baseline: int, measure: Measure
) -> Mapping[tuple[int, int], Figure]:
    """Of each recipe and part of the board, by their places."""
    return {
        (recipe, part): _figure(board, part, measure, recipes, recipe, baseline)
        for recipe in range(len(recipes))
        for part in range(len(board.parts))
    }


def called_on_normal(joint: JointScores, recipes: Sequence[Recipe]) -> tuple[Estimate | None, ...]:
    """By recipe, how many findings are called on a film labeled Normal, Normal itself not counted: the mean over films
    and seeds with its 95 % interval over resamples of patients.

    At the models' own thresholds, on the `n` films where every recipe can call what it ever calls. None of one that has
    no threshold at all, and of all where no film is labeled Normal.
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


def _recipe(name: str, places: tuple[int, ...], about: Sequence[ModelManifest]) -> Recipe:
    trainings = [each for each in (about[place].training for place in places) if each]
    if not trainings:
        return Recipe(name, places, (), None, None, None)
    minutes = float(np.mean([each.core_minutes for each in trainings]))
    return Recipe(
        name,
        places,
        tuple(each.seed for each in trainings),
        trainings[0],
        minutes,
        min(each.milliseconds for each in trainings),
    )


def _figure(board: Board, part: int, measure: Measure, recipes: Sequence[Recipe], recipe: int, baseline: int) -> Figure:
    means = board.means[part, measure]
    own, other = list(recipes[recipe].models), _alike(recipes[recipe], recipes[baseline])
    value, alone = means.point[own].mean(), means.point[own]
    low, high = interval(_seeds(means.samples, own), means.units)
    if recipe == baseline:
        ahead = ahead_low = ahead_high = float("nan")
    else:
        ahead = value - means.point[other].mean()
        ahead_low, ahead_high = interval(_seeds(means.samples, own) - _seeds(means.samples, other), means.units)
    return Figure(float(value), low, high, float(alone.min()), float(alone.max()), float(ahead), ahead_low, ahead_high)


def _alike(recipe: Recipe, baseline: Recipe) -> list[int]:
    """The baseline's models with the recipe's seeds; all of them where it has none of these."""
    by_seed = dict(zip(baseline.seeds, baseline.models, strict=False))
    return [by_seed[seed] for seed in recipe.seeds if seed in by_seed] or list(baseline.models)


def _seeds(samples: Floats, models: list[int]) -> Floats:
    """The mean over seeds in each resample, (resamples,)."""
    mean: Floats = samples[:, models].mean(axis=1)
    return mean
