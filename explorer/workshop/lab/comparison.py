"""Compares recipes on the test films: mean AP and AUROC by frequency group, and differences from the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.figures import EN_DASH, fixed, share_texts
from explorer.core.findings import FrequencyGroup
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.groups import default_group_source, frequency_groups
from explorer.metrics.bootstrap import Bootstrap, bootstrap, difference, macro_interval
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.workshop.lab.interval_words import PointInterval, flagged_words, interval_words
from explorer.workshop.lab.normal_films import flagged_on_normal
from explorer.workshop.lab.ranking_figures import findings_by_frequency
from explorer.workshop.lab.trained import TrainedRecipe
from models.training.lab_recipe import BASELINE_RECIPE, WrongRecipe

COMPARED_METRICS: Mapping[str, Metric] = {"AP": average_precision, "AUROC": auroc}
ALL_FINDINGS = "all"
NO_GROUP = "no group"


@dataclass(frozen=True, slots=True)
class GroupFigure:
    """A recipe's mean metric over the findings of a group and over its seeds, with its 95 % interval.

    `spread` is the range over its seeds. `ahead` is the paired difference from the baseline on the same resamples of
    films, using the baseline's networks with the same seeds if they exist; None for the baseline itself.
    """

    recipe: str
    group: str
    metric: str
    findings: int
    seeds: int
    value: PointInterval
    spread: tuple[float, float]
    ahead: PointInterval | None


def compare_recipes(
    recipes: Mapping[str, Sequence[TrainedRecipe]], resamples: int = 1000, center: str | None = None
) -> tuple[GroupFigure, ...]:
    """Compare recipes (each with its seeds) with the baseline, on all test films or on one center's.

    Raises WrongRecipe if they were tested on different films, or if no film is from the center.
    """
    first = recipes[BASELINE_RECIPE][0]
    check_same_films(recipes, BASELINE_RECIPE)
    rows = np.ones(len(first.test.cases), dtype=bool) if center is None else first.test.centers == center
    if not rows.any():
        known = ", ".join(sorted(set(first.test.centers.tolist())))
        raise WrongRecipe(f"No test film is from {center}", f"The centers are {known}.")
    labels, patients, findings = first.test.labels[rows], first.test.patients[rows], first.findings
    every = [one for seeds in recipes.values() for one in seeds]
    found: list[GroupFigure] = []
    members = {ALL_FINDINGS: findings, **findings_by_group(findings, first.test.labels.astype(np.float64))}
    for name, metric in COMPARED_METRICS.items():
        drawn = iter(bootstrap_each(labels, [one.test.logits[rows] for one in every], metric, resamples, patients))
        each = {recipe: [next(drawn) for _ in seeds] for recipe, seeds in recipes.items()}
        baseline = dict(zip((one.seed for one in recipes[BASELINE_RECIPE]), each[BASELINE_RECIPE], strict=True))
        for recipe, ones in each.items():
            mean = mean_over_seeds(ones)
            alike = [baseline[one.seed] for one in recipes[recipe] if one.seed in baseline] or each[BASELINE_RECIPE]
            ahead = None if recipe == BASELINE_RECIPE else difference(mean, mean_over_seeds(alike))
            for group, those in members.items():
                places = [findings.index(finding) for finding in those]
                alone = [macro_interval(one, places)[0] for one in ones]
                value = macro_interval(mean, places)
                paired = None if ahead is None else macro_interval(ahead, places)
                spread = (min(alone), max(alone))
                found.append(GroupFigure(recipe, group, name, len(places), len(ones), value, spread, paired))
    return tuple(found)


def check_same_films(recipes: Mapping[str, Sequence[TrainedRecipe]], first: str) -> None:
    """Raise WrongRecipe if a recipe was tested on other films than the recipe `first`."""
    for recipe, seeds in recipes.items():
        if any(not np.array_equal(one.test.cases, recipes[first][0].test.cases) for one in seeds):
            raise WrongRecipe(f"{recipe} was tested on other films than {first}", "Train both on the same films.")


def findings_by_group(findings: Sequence[str], labels: Floats) -> dict[str, tuple[str, ...]]:
    """Return the findings by frequency group, from head to tail; findings outside all groups come last.

    The groups are CXR-LT 2026's, with its unseen findings as a separate group. If CXR-LT lacks most of the findings,
    the groups are computed from the labels (n, findings) of all test films.
    """
    if default_group_source(findings) == "paper":
        found = findings_by_frequency(findings)
    else:
        group_by_finding = dict(zip(findings, frequency_groups(findings, labels, "cohort"), strict=True))
        found = {group: tuple(name for name in findings if group_by_finding[name] is group) for group in FrequencyGroup}
    apart = tuple(name for name in findings if not any(name in those for those in found.values()))
    return {name: those for name, those in {**found, NO_GROUP: apart}.items() if those}


def groups_words(findings: Sequence[str]) -> str:
    """Return a sentence on the source of the tables' frequency groups."""
    source = default_group_source(findings)
    test = ", over all test films, because CXR-LT 2026 lacks most of these findings" if source == "cohort" else ""
    return f"Groups: {GROUP_SOURCES[source].rule}{test}."


def comparison_table(figures: Sequence[GroupFigure], metric: str) -> str:
    """Return a table of one metric: one line per recipe, one column per group, with differences from the baseline."""
    names = list(dict.fromkeys(each.group for each in figures))
    by = {(each.recipe, each.group): each for each in figures if each.metric == metric}
    lines = [f"| {metric} | seeds | {' | '.join(names)} |", "|---" * (2 + len(names)) + "|"]
    for recipe in dict.fromkeys(each.recipe for each in figures):
        row = [by[recipe, group] for group in names]
        lines.append(f"| {recipe} | {row[0].seeds} | {' | '.join(map(_value, row))} |")
    return "\n".join(lines) + "\n"


def cost_table(recipes: Mapping[str, Sequence[TrainedRecipe]]) -> str:
    """Return a table of each recipe's costs, averaged over its seeds.

    Columns: findings flagged on a normal film, core minutes, parameters, milliseconds per film, epoch.
    """
    head = "| cost | called on a normal film | core minutes | parameters | ms a film | epoch |"
    lines = [head, "|---" * 6 + "|"]
    for recipe, seeds in recipes.items():
        minutes = fixed(float(np.mean([one.cost.seconds for one in seeds])) / 60, 1)
        milliseconds = fixed(min(one.cost.milliseconds for one in seeds), 1)
        epochs = ", ".join(f"{one.epoch} of {len(one.curve)}" for one in seeds)
        called = flagged_words(flagged_on_normal(seeds))
        lines.append(f"| {recipe} | {called} | {minutes} | {seeds[0].cost.parameters:,} | {milliseconds} | {epochs} |")
    return "\n".join(lines) + "\n"


def _value(figure: GroupFigure) -> str:
    spread = "" if figure.seeds < 2 else ", seeds " + EN_DASH.join(share_texts(*figure.spread, digits=3))
    return interval_words(figure.value, figure.ahead, spread)


def bootstrap_each(
    labels: Floats, logits: Sequence[Floats], metric: Metric, resamples: int, patients: NDArray[np.str_]
) -> list[Bootstrap]:
    """Bootstrap each of these arrays of logits (n, findings) on the same resamples."""
    together = bootstrap(np.tile(labels, len(logits)), np.concatenate(logits, axis=1), metric, resamples, unit=patients)
    findings = labels.shape[1]
    parts = [slice(start, start + findings) for start in range(0, findings * len(logits), findings)]
    return [
        Bootstrap(
            together.point[part],
            together.low[part],
            together.high[part],
            together.samples[:, part],
            together.undefined[part],
            together.units[part],
        )
        for part in parts
    ]


def mean_over_seeds(seeds: Sequence[Bootstrap]) -> Bootstrap:
    """Return the mean over seeds for each resample, because all seeds use the same films."""
    samples: Floats = np.mean([each.samples for each in seeds], axis=0)
    point: Floats = np.mean([each.point for each in seeds], axis=0)
    return Bootstrap.of(point, samples, np.min([each.units for each in seeds], axis=0))
