"""Compares recipes finding by finding on the test films: which ranks each finding best, and by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.core.figures import difference_text, figure_text, fixed
from explorer.core.word_lists import quantity
from explorer.metrics.bootstrap import Bootstrap, difference
from explorer.workshop.lab.comparison import COMPARED_METRICS, bootstrap_each, check_same_films, mean_over_seeds
from explorer.workshop.lab.interval_words import PointInterval
from explorer.workshop.lab.trained import TrainedRecipe
from models.training.lab_recipe import WrongRecipe
from models.training.nearest_name import nearest_words

LEVEL = 0.95  # of every interval here


@dataclass(frozen=True, slots=True)
class FindingFigures:
    """A metric of several recipes for a finding with `positives` test films, each the mean over a recipe's seeds.

    `value` is that of the recipe `first` with its 95 % interval; `ahead` holds the other recipes' paired differences
    from it, on the same resamples. `best` is the recipe with the highest value, and `lead` its paired difference from
    the second best; the interval ignores that the best was chosen among several.
    """

    finding: str
    positives: int
    first: str
    value: PointInterval
    ahead: Mapping[str, PointInterval]
    best: str
    lead: PointInterval

    @property
    def is_clear(self) -> bool:
        """Whether the whole interval of the lead is above 0."""
        return self.lead[1] > 0


def recipes_named(
    names: Sequence[str], trained: Mapping[str, Sequence[TrainedRecipe]]
) -> dict[str, Sequence[TrainedRecipe]]:
    """Return the trainings of these recipes in this order. Raises WrongRecipe if one was not trained."""
    for name in names:
        if name not in trained:
            there = f"{nearest_words(name, trained)}There are {', '.join(trained)}."
            raise WrongRecipe(f"{name} has no results", there)
    return {name: trained[name] for name in names}


def compare_by_finding(
    recipes: Mapping[str, Sequence[TrainedRecipe]], metric: str, resamples: int = 1000
) -> tuple[FindingFigures, ...]:
    """Compare recipes (each with its seeds) with the first of them, for every finding that has a defined metric.

    Raises WrongRecipe for fewer than two recipes, other test films, or findings that differ.
    """
    if len(recipes) < 2:
        raise WrongRecipe("One recipe cannot be compared", "Name two or more.")
    first = next(iter(recipes))
    check_same_films(recipes, first)
    test, findings = recipes[first][0].test, recipes[first][0].findings
    if any(one.findings != findings for seeds in recipes.values() for one in seeds):
        raise WrongRecipe("The recipes were trained on different findings", "Train them on the same films and labels.")
    labels = test.labels.astype(np.float64)
    logits = [one.test.logits.astype(np.float64) for seeds in recipes.values() for one in seeds]
    drawn = iter(bootstrap_each(labels, logits, COMPARED_METRICS[metric], resamples, test.patients))
    means = {recipe: mean_over_seeds([next(drawn) for _ in seeds]) for recipe, seeds in recipes.items()}
    ahead = {recipe: difference(mean, means[first]) for recipe, mean in means.items() if recipe != first}
    found: list[FindingFigures] = []
    for place, finding in enumerate(findings):
        points = {recipe: float(mean.point[place]) for recipe, mean in means.items()}
        if any(np.isnan(point) for point in points.values()):
            continue
        best, second, *_ = sorted(points, key=lambda recipe: -points[recipe])
        lead = difference(means[best], means[second])
        others = {recipe: _at(each, place) for recipe, each in ahead.items()}
        positives = int(np.nansum(test.labels[:, place]))
        found.append(
            FindingFigures(finding, positives, first, _at(means[first], place), others, best, _at(lead, place))
        )
    if not found:
        raise WrongRecipe("No finding can be compared", "The test films have none of them, or all of them.")
    return tuple(found)


def finding_table(figures: Sequence[FindingFigures], metric: str) -> str:
    """Return a table with one line per finding; a lead whose interval is above 0 is bold."""
    names = list(figures[0].ahead)
    lines = [f"| {metric} | n+ | {figures[0].first} | {' | '.join(names)} | best | lead over the second |"]
    lines.append("|---" * (len(names) + 5) + "|")
    for each in figures:
        cells = [figure_text(*each.value), *(difference_text(*each.ahead[name]) for name in names)]
        lead = difference_text(*each.lead)
        lines.append(
            f"| {each.finding} | {each.positives} | {' | '.join(cells)} | {each.best} | "
            f"{f'**{lead}**' if each.is_clear else lead} |"
        )
    return "\n".join(lines) + "\n"


def winners_words(figures: Sequence[FindingFigures]) -> str:
    """Return a line for each recipe that is best for a finding, most often first: for how many, and how clearly.

    A last line says how many of as many intervals exclude 0 by chance.
    """
    best = [each.best for each in figures]
    lines = []
    for recipe in sorted(set(best), key=lambda name: (-best.count(name), name)):
        clear = sum(each.is_clear for each in figures if each.best == recipe)
        of = quantity(len(figures), "finding")
        lines.append(
            f"{recipe}: best for {best.count(recipe)} of {of}; the interval of its lead is above 0 for {clear}."
        )
    chance = fixed((1 - LEVEL) * len(figures), 1)
    lines.append(f"Of {quantity(len(figures), 'interval')} at 95 %, {chance} exclude 0 by chance.")
    return "\n".join(lines)


def _at(drawn: Bootstrap, place: int) -> PointInterval:
    return float(drawn.point[place]), float(drawn.low[place]), float(drawn.high[place])
