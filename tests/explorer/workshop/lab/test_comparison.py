"""Figures of recipes by hand: means over findings and seeds, differences on the same resamples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.core.findings import FrequencyGroup
from explorer.core.groups import group_from_source
from explorer.metrics.bootstrap import bootstrap, difference
from explorer.metrics.metrics import average_precision
from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab.comparison import (
    ALL_FINDINGS,
    NO_GROUP,
    GroupFigure,
    compare_recipes,
    comparison_table,
    cost_table,
    findings_by_group,
    groups_words,
)
from explorer.workshop.lab.interval_words import flagged_words
from explorer.workshop.lab.normal_films import flagged_on_normal
from explorer.workshop.lab.trained import TrainedRecipe
from models.training.lab_recipe import WrongRecipe
from tests.support.few_films import few_films
from tests.support.few_trained import few_trained
from tests.support.wording import Wording

FILMS = few_films(40, 4)
FINDINGS = SEEN_FINDINGS[:4]


def said(recipe: str, noise: float, seed: int) -> TrainedRecipe:
    logits = FILMS.labels + noise * np.random.default_rng(seed).normal(size=FILMS.labels.shape).astype(np.float32)
    return few_trained(recipe, seed, FINDINGS, FILMS.labels, logits)


RECIPES = {"bce": [said("bce", 2, 1), said("bce", 2, 2)], "better": [said("better", 0.5, 3)]}


def figure(figures: tuple[GroupFigure, ...], recipe: str, group: str = ALL_FINDINGS, metric: str = "AP") -> GroupFigure:
    (found,) = [each for each in figures if (each.recipe, each.group, each.metric) == (recipe, group, metric)]
    return found


def test_a_mean_is_over_findings_and_seeds() -> None:
    figures = compare_recipes(RECIPES, resamples=50)
    alone = [average_precision(FILMS.labels, one.test.logits).mean() for one in RECIPES["bce"]]
    found = figure(figures, "bce")
    assert found.value[0] == pytest.approx(np.mean(alone)) and found.ahead is None and found.seeds == 2
    assert found.spread == pytest.approx((min(alone), max(alone)))
    common = figure(figures, "bce", "common")
    places = [
        place for place, finding in enumerate(FINDINGS) if group_from_source(finding, "paper") is FrequencyGroup.COMMON
    ]
    expected = np.mean([average_precision(FILMS.labels, one.test.logits)[places].mean() for one in RECIPES["bce"]])
    assert common.findings == len(places) and common.value[0] == pytest.approx(expected)


def test_groups_of_foreign_findings_come_from_the_test_films() -> None:
    own = ("ILD", "COVID-19", "Mass", "Normal")
    labels = np.zeros((1000, 4))
    for place, positives in enumerate((200, 30, 5, 500)):
        labels[:positives, place] = 1
    wanted = {"common": ("ILD",), "medium": ("COVID-19",), "rare": ("Mass",), "normal": ("Normal",)}
    assert findings_by_group(own, labels) == wanted and "all test films" in groups_words(own)
    mixed = findings_by_group(("Mass", "Nodule", "Cardiomegaly", "ILD"), labels)
    assert mixed[NO_GROUP] == ("ILD",) and sum(map(len, mixed.values())) == 4
    assert NO_GROUP not in findings_by_group(FINDINGS, FILMS.labels) and "CXR-LT 2026, recovered" in groups_words(
        FINDINGS
    )


def test_a_difference_is_paired() -> None:
    one = {"bce": RECIPES["bce"][:1], "better": RECIPES["better"]}
    ahead = figure(compare_recipes(one, resamples=200), "better").ahead
    names = one["bce"][0].test.patients
    better, bce = (
        bootstrap(FILMS.labels, one[name][0].test.logits, average_precision, 200, unit=names)
        for name in ("better", "bce")
    )
    expected = difference(better, bce)
    means = np.nanmean(expected.samples, axis=1)  # a finding that a resample has no film of is left out of its mean
    assert ahead is not None and ahead[0] == pytest.approx(expected.point.mean())
    assert ahead[1:] == pytest.approx(np.quantile(means, [0.025, 0.975])) and ahead[1] > 0


def test_the_table_names_every_recipe_and_group() -> None:
    figures = compare_recipes(RECIPES, resamples=20)
    head, _, bce, better = comparison_table(figures, "AP").splitlines()
    assert (
        head.startswith("| AP | seeds | all |")
        and bce.startswith("| bce | 2 |")
        and better.startswith("| better | 1 |")
    )
    assert "seeds " in bce and "; +" in better


def test_recipes_tested_on_other_films_are_not_compared(wording: Wording) -> None:
    other = few_trained("better", 0, FINDINGS, FILMS.labels[:30], FILMS.labels[:30])
    with pytest.raises(WrongRecipe) as caught:
        compare_recipes({"bce": RECIPES["bce"], "better": [other]}, resamples=20)
    wording(caught.value, "better")


def test_the_costs_are_means_over_seeds() -> None:
    _, _, bce, better = cost_table(RECIPES).splitlines()
    called = flagged_words(flagged_on_normal(RECIPES["bce"]))
    assert bce == f"| bce | {called} | 1.5 | 12 | 3.0 | 1 of 1, 1 of 1 |"
    assert better.endswith("] | 1.5 | 12 | 3.0 | 1 of 1 |")


def test_what_is_called_on_films_without_findings_is_counted() -> None:
    """At Youden's thresholds, halfway: films 0 and 1 are Normal, and one finding is called on the second of them."""
    labels = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
    logits = np.array([[3, -2, -3], [2, -2, 2], [-2, 3, 2.5], [-2, 2, -1], [-1, -2, 3]], dtype=np.float32)
    validation = replace(few_trained("bce", 0, SEEN_FINDINGS[:3], labels, labels).validation, logits=2 * labels - 1)
    made = replace(few_trained("bce", 0, SEEN_FINDINGS[:3], labels, logits), validation=validation)
    found = flagged_on_normal([made])
    assert found is not None and found[0] == 0.5 and found[1] == 0.0 and found[2] == 1.0
    none = replace(made, test=replace(made.test, labels=np.zeros_like(labels)))
    assert flagged_on_normal([none]) is None and flagged_words(None) == "no such films"


def test_a_center_is_compared_on_its_own_films(wording: Wording) -> None:
    here = figure(compare_recipes(RECIPES, resamples=20, center="B"), "better").value[0]
    half = slice(len(FILMS.labels) // 2, None)
    assert here == pytest.approx(average_precision(FILMS.labels[half], RECIPES["better"][0].test.logits[half]).mean())
    with pytest.raises(WrongRecipe) as refused:
        compare_recipes(RECIPES, resamples=20, center="C")
    wording(refused.value, "from C", "A, B")


def test_a_difference_is_to_the_baseline_of_the_same_seed() -> None:
    better = said("better", 0.5, 2)
    both = compare_recipes({"bce": RECIPES["bce"], "better": [better]}, resamples=50)
    alone = compare_recipes({"bce": RECIPES["bce"][1:], "better": [better]}, resamples=50)
    assert figure(both, "better").ahead == figure(alone, "better").ahead
