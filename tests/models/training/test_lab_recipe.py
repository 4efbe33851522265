"""The recipes that ship are whole, and a wrong one is refused in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.cards.card import PROJECT
from models.training.lab_recipe import (
    BASELINE_RECIPE,
    DEFAULT_EPOCHS,
    RECIPES_FOLDER,
    WrongRecipe,
    lab_recipe,
    recipe_names,
)
from models.training.losses.registry import build_loss
from models.training.network import LINEAR_HEAD
from models.training.recipe import RecipePart, TrainingRecipe
from tests.support.wording import Wording


@pytest.mark.parametrize("name", recipe_names())
def test_a_shipped_recipe_has_parts_that_there_are(name: str) -> None:
    recipe = lab_recipe(name)
    assert {recipe.after, recipe.part_of, *recipe.of} - {None} <= set(recipe_names())
    assert bool(recipe.stages) != bool(recipe.of) and recipe.size == TrainingRecipe().size
    for stage in recipe.stages:
        build_loss(stage.loss.name, stage.loss.parameters, [30, 3], 100)
    whole = DEFAULT_EPOCHS if recipe.after or recipe.of else recipe.epochs
    assert whole == DEFAULT_EPOCHS, (
        "every recipe has the same budget; what comes after the baseline adds to it and says so"
    )


def test_the_baseline_comes_first_and_differs_in_nothing() -> None:
    assert (
        recipe_names()[0] == BASELINE_RECIPE and len(recipe_names()) == len(list(RECIPES_FOLDER.glob("*.toml"))) >= 12
    )
    recipe = lab_recipe(BASELINE_RECIPE)
    assert (
        recipe.stages == (TrainingRecipe(epochs=DEFAULT_EPOCHS, loss=RecipePart("bce")),) and recipe.head == LINEAR_HEAD
    )


def test_recipes_differ_in_one_thing() -> None:
    """From the baseline: loss, sampler, head, masks, films or labels; a second stage says what else it changes.

    Two that gained alone are tried together.
    """
    (baseline,) = lab_recipe(BASELINE_RECIPE).stages
    for name in set(recipe_names()) - {BASELINE_RECIPE}:
        recipe = lab_recipe(name)
        if recipe.after is not None or len(recipe.stages) != 1:
            continue
        (stage,) = recipe.stages
        differs = [
            stage.loss != baseline.loss,
            stage.sampler != baseline.sampler,
            stage.mask_weight != baseline.mask_weight,
            recipe.head != LINEAR_HEAD,
            bool(recipe.centers or recipe.views or recipe.without),
            bool(recipe.told),
        ]
        assert sum(differs) == (2 if name in ("class-aware-masks", "half-class-aware-masks") else 1), name


GOOD = 'title = "T"\nchanges = "c"\nsource = "s"\nteam = ""\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("title = ", "TOML file"),
        (GOOD, "There is no stage"),
        (GOOD.replace('"T"', "3") + "[[stages]]\n", "title"),
        (GOOD + 'centers = "A"\n[[stages]]\n', "list of names"),
        (GOOD + 'aftr = "bce"\n[[stages]]\n', "Unknown in the file"),
        (GOOD + "[[stages]]\nepoch = 3\n", "Unknown in a stage"),
        (GOOD + "[[stages]]\nepochs = 3.5\n", "stage is 3.5"),
        (GOOD + "[[stages]]\nepochs = true\n", "stage is True"),
        (GOOD + '[[stages]]\nloss = "bce"\n', "a table with a name"),
        (GOOD + '[[stages]]\nloss = { name = "bee" }\n', "loss 'bee'"),
        (GOOD + '[[stages]]\nsampler = "odd"\n', "sampler 'odd'"),
        (GOOD + '[[stages]]\ntrains = "tail"\n', "Choose all or head"),
        (GOOD + 'head = { name = "hydra" }\n[[stages]]\n', "head 'hydra'"),
        (GOOD + "after = 3\n[[stages]]\n", "after"),
        (GOOD + 'of = ["bce"]\n', "recipe that trains nothing"),
        (GOOD + 'of = ["bce"]\ninference = { name = "turns" }\n[[stages]]\n', "recipe that trains nothing"),
        (GOOD + 'inference = { name = "turns" }\n[[stages]]\n', "recipe that trains nothing"),
        (GOOD + 'of = ["bce"]\ninference = { name = "guess" }\n', "inference 'guess'"),
        (GOOD + 'of = ["bce"]\ninference = { name = "two-stage" }\n', "inference 'two-stage' takes 2"),
        (GOOD + 'of = ["bce"]\ninference = { name = "turns", angle = 3 }\n', "has no parameter 'angle'"),
    ],
)
def test_a_wrong_recipe_is_refused_in_words(tmp_path: Path, text: str, why: str, wording: Wording) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(WrongRecipe) as refused:
        lab_recipe("mine", tmp_path)
    assert why in f"{refused.value.title}. {refused.value.detail}"
    wording(f"{refused.value.title}. {refused.value.detail}")


@pytest.mark.parametrize("name", ["nothing", "../recipes/bce"])
def test_a_recipe_that_is_not_there_is_named_with_those_that_are(name: str) -> None:
    with pytest.raises(WrongRecipe) as refused:
        lab_recipe(name)
    assert "bce" in refused.value.detail


def test_the_docs_list_every_recipe() -> None:
    text = (PROJECT / "docs" / "lab-method.md").read_text(encoding="utf-8")
    for name in recipe_names():
        recipe = lab_recipe(name)
        assert f"| `{name}` | {recipe.changes} | {recipe.team} |" in text
