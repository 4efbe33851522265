"""The trainings that ship: the cohort's scores are theirs, and the docs print their figures."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.cohorts.layout import cohort_folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.simulator.cohort_sampling import SEEN_FINDINGS, TEST_SPLIT, VALIDATION_SPLIT, sample_cases
from explorer.workshop.lab.comparison import ALL_FINDINGS, compare_recipes
from explorer.workshop.lab.interval_words import flagged_words, interval_words
from explorer.workshop.lab.normal_films import flagged_on_normal
from explorer.workshop.lab.phantom_dataset import exact_labels
from explorer.workshop.lab.run import finished_trainings
from explorer.workshop.lab.thresholds import to_scores
from explorer.workshop.lab.trained import SHIPPED_RUNS, TrainedRecipe
from explorer.workshop.shipping.ship import WITH_WEIGHTS, has_weights, shipped_name
from models.cards import classifier_card
from models.cards.card import PROJECT

RECIPES = finished_trainings(SHIPPED_RUNS)
TRAININGS = [one for seeds in RECIPES.values() for one in seeds]


@pytest.mark.parametrize("made", TRAININGS, ids=lambda made: made.name)
def test_the_cohorts_scores_are_those_of_the_training(made: TrainedRecipe) -> None:
    cohort = cohort_folder("phantom")
    name = shipped_name(made)
    assert has_weights(made) or read_model_manifest(cohort.model(name)).sha256 == made.sha256
    kept = read_table(cohort.predictions(name) / "part-00000.parquet").to_pandas()
    table = kept.pivot_table(index="case", columns="finding", values="score", observed=True)
    found = table.loc[made.test.cases.tolist(), list(made.findings)].to_numpy()
    if not has_weights(made):
        np.testing.assert_array_equal(found, to_scores(made.test))
    else:  # in half precision, of films in 65,536 levels of gray instead of 256
        assert np.quantile(np.abs(found - to_scores(made.test)), 0.999) < 0.05
        assert read_model_manifest(cohort.model(name)).sha256 == classifier_card.classifier_card(name).sha256
        assert (f"lab-{made.name}" in cohort.models()) == (f"lab-{made.name}" == name)  # never twice


def test_the_two_best_by_validation_ship_with_their_weights() -> None:
    """Of the trainings of one network that were chosen on validation films; not of several together."""
    assert {(made.recipe, made.seed): shipped_name(made) for made in TRAININGS if has_weights(made)} == WITH_WEIGHTS
    for name in WITH_WEIGHTS.values():
        assert (PROJECT / classifier_card.classifier_card(name).weights).stat().st_size < 10e6


@pytest.mark.slow
def test_they_are_of_the_cohorts_own_films_and_exact_labels() -> None:
    for split, part in ((VALIDATION_SPLIT, "validation"), (TEST_SPLIT, "test")):
        drawn = sample_cases(split)
        names, labels = [case.film.case for case in drawn], exact_labels(drawn, SEEN_FINDINGS)
        for made in TRAININGS:
            films = getattr(made, part)
            assert films.cases.tolist() == names
            assert np.array_equal(films.labels, labels)


@pytest.mark.processor
@pytest.mark.slow
def test_the_docs_print_their_figures() -> None:
    docs = (PROJECT / "docs" / "lab-figures.md").read_text(encoding="utf-8").replace("<br>", "; ")
    by = {(each.metric, each.recipe, each.group): each for each in compare_recipes(RECIPES)}
    for recipe, seeds in RECIPES.items():
        normal = flagged_on_normal(seeds)
        assert normal is not None
        minutes = f" {flagged_words(normal)} | {np.mean([one.cost.seconds for one in seeds]) / 60:.1f} |"
        for metric, cost in (("AP", minutes), ("AUROC", "")):
            found = [by[metric, recipe, group] for group in (ALL_FINDINGS, "common", "medium", "rare", "very rare")]
            spreads = [
                "" if each.seeds < 2 else f", seeds {each.spread[0]:.3f}\u2013{each.spread[1]:.3f}" for each in found
            ]
            cells = [interval_words(each.value, each.ahead, way) for each, way in zip(found, spreads, strict=True)]
            assert f"\n| `{recipe}` | {' | '.join(cells)} |{cost}\n" in docs
