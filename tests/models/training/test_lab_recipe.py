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
    checkpoint_of,
    lab_recipe,
    recipe_named,
    recipe_names,
)
from models.training.lab_system import system_names
from models.training.losses.registry import build_loss
from models.training.network import LINEAR_HEAD
from models.training.recipe import RecipePart, TrainingRecipe
from tests.support.wording import Wording

SYSTEMS = {name for name in recipe_names() if lab_recipe(name).system}


@pytest.mark.parametrize("name", recipe_names())
def test_a_shipped_recipe_has_parts_that_there_are(name: str) -> None:
    recipe = lab_recipe(name)
    named = {
        recipe.after,
        recipe.teacher,
        recipe.judge,
        recipe.part_of,
        *(checkpoint_of(each)[0] for each in recipe.of),
    }
    assert named - {None} <= set(recipe_names())
    assert not recipe.system or recipe.system in system_names()
    assert bool(recipe.stages) != bool(recipe.of)
    smaller = recipe.part_of in SYSTEMS and recipe.size < TrainingRecipe().size
    assert recipe.size == TrainingRecipe().size or smaller or name == "larger-input"
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


TWO_THINGS = ("class-aware-masks", "half-class-aware-masks", "uncertain-three-class")  # the third's head has the class


def test_recipes_differ_in_one_thing() -> None:
    """From the baseline: loss, sampler, head, masks, films or labels; a second stage says what else it changes.

    Two that gained alone are tried together.
    """
    (baseline,) = lab_recipe(BASELINE_RECIPE).stages
    for name in set(recipe_names()) - {BASELINE_RECIPE}:
        recipe = lab_recipe(name)
        if recipe.after is not None or len(recipe.stages) != 1 or {name, recipe.part_of} & SYSTEMS:
            continue
        (stage,) = recipe.stages
        differs = [
            stage.loss != baseline.loss,
            stage.sampler != baseline.sampler,
            stage.mask_weight != baseline.mask_weight,
            recipe.head != LINEAR_HEAD,
            bool(recipe.centers or recipe.views or recipe.without),
            bool(recipe.told),
            bool(recipe.uncertain or recipe.labels),
            stage.architecture != baseline.architecture,
            stage.size != baseline.size,
        ]
        assert sum(differs) == (2 if name in TWO_THINGS else 1), name


GOOD = 'title = "T"\nchanges = "c"\nsource = "s"\nteam = ""\n'


WRONG = [
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
    (GOOD + '[[stages]]\nsampler = "class-awar"\n', "Did you mean class-aware?"),
    (GOOD + '[[stages]]\ntrains = "last"\n', "Choose all, head, or last 2"),
    (GOOD + '[[stages]]\nmixing = { name = "mixing" }\n', "mixing 'mixing'"),
    (GOOD + '[[stages]]\naugmentation = { name = "standart" }\n', "Did you mean standard?"),
    (GOOD + "[[stages]]\nepochs = 0\n", "at least 1"),
    (GOOD + '[[stages]]\n[[stages]]\narchitecture = "resnet50"\n', "another architecture than stage 1"),
    (GOOD + '[[stages]]\narchitecture = "convnext_tny"\n', "Did you mean convnext_tiny?"),
    (GOOD + "stages = [3]\n", "not a table"),
    (GOOD + '[[stages]]\nloss = { name = "focal", gama = 1.0 }\n', "Did you mean gamma?"),
    (GOOD + 'head = { name = "ml-decoder", queris = 3 }\n[[stages]]\n', "Did you mean queries?"),
    (GOOD + "checkpoints = 0\n[[stages]]\n", "from 1 to 10"),
    (GOOD + 'size = 64\nof = ["bce"]\ninference = { name = "turns" }\n', "has no size"),
    (GOOD + 'head = { name = "hydra" }\n[[stages]]\n', "head 'hydra'"),
    (GOOD + "after = 3\n[[stages]]\n", "after"),
    (GOOD + 'uncertain = "one"\n[[stages]]\n', "Did you mean ones?"),
    (GOOD + 'labels = "exat"\n[[stages]]\n', "Did you mean exact?"),
    (GOOD + 'labels = "exact"\nuncertain = "ones"\n[[stages]]\n', "nothing uncertain"),
    (GOOD + 'uncertain = "three-class"\n[[stages]]\n', "need each other"),
    (GOOD + 'uncertain = "self-trained"\n[[stages]]\n', "both need a teacher"),
    (GOOD + 'teacher = "bce"\n[[stages]]\n', "both need a teacher"),
    (GOOD + 'teacher = 3\npseudo_centers = ["A"]\n[[stages]]\n', "teacher is not"),
    (GOOD + 'teacher = "bce"\npseudo_centers = "A"\n[[stages]]\n', "pseudo_centers is not"),
    (GOOD + "told_shares = [0.5]\n[[stages]]\n", "two shares"),
    (GOOD + "folds = 3\n[[stages]]\n", "fold 0"),
    (GOOD + "simulated_tail = -1\n[[stages]]\n", "simulated_tail is -1"),
    (GOOD + "[[stages]]\nstudy_films = 2\n", "needs a head that reads several films"),
    (GOOD + 'head = { name = "cross-view" }\n[[stages]]\nstudy_films = -1\n', "at least 0"),
    (GOOD + 'study_scores = "mean of view"\n[[stages]]\n', "Did you mean mean of views?"),
    (GOOD + '[[stages]]\noptimizer = "sgd"\n', "optimizer 'sgd'"),
    (GOOD + 'of = ["bce"]\n', "recipe that trains nothing"),
    (GOOD + 'of = ["bce"]\ninference = { name = "turns" }\n[[stages]]\n', "recipe that trains nothing"),
    (GOOD + 'inference = { name = "turns" }\n[[stages]]\n', "recipe that trains nothing"),
    (GOOD + 'of = ["bce"]\ninference = { name = "guess" }\n', "inference 'guess'"),
    (GOOD + 'of = ["bce"]\ninference = { name = "two-stage" }\n', "inference 'two-stage' takes 2"),
    (GOOD + 'of = ["bce"]\ninference = { name = "turns", angle = 3 }\n', "has no parameter 'angle'"),
]


@pytest.mark.parametrize(("text", "why"), WRONG, ids=[why for _, why in WRONG])
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


def test_a_recipe_of_ones_own_is_a_file_and_needs_no_words(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('architecture = "resnet50"\nsize = 96\n[[stages]]\nepochs = 2\n[[stages]]\n')
    recipe = recipe_named(str(tmp_path / "mine.toml"))
    assert (recipe.name, recipe.title, recipe.shipped, recipe.size) == ("mine", "mine", False, 96)
    assert [(stage.architecture, stage.epochs) for stage in recipe.stages] == [("resnet50", 2), ("resnet50", 6)]
    (tmp_path / "on.toml").write_text('after = "mine"\n[[stages]]\nsize = 64\n')
    on = recipe_named(str(tmp_path / "on.toml"))
    assert on.other("mine") == recipe and on.other("bce").shipped and on.film_size == 96


def test_a_file_with_a_shipped_name_or_a_missing_one_is_refused(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "bce.toml").write_text("[[stages]]\n")
    with pytest.raises(WrongRecipe) as refused:
        recipe_named(str(tmp_path / "bce.toml"))
    wording(f"{refused.value.title}. {refused.value.detail}")
    (tmp_path / "My recipe.toml").write_text("[[stages]]\n")
    with pytest.raises(WrongRecipe, match="'My recipe' cannot be the name"):
        recipe_named(str(tmp_path / "My recipe.toml"))
    with pytest.raises(WrongRecipe, match="no file"):
        recipe_named(str(tmp_path / "none.toml"))
    with pytest.raises(WrongRecipe) as refused:
        recipe_named("clas-aware")
    assert refused.value.detail.startswith("Did you mean class-aware?")
    assert recipe_named(str(RECIPES_FOLDER / "crt.toml")).shipped


@pytest.mark.parametrize(("entry", "found"), [("bce", ("bce", 1)), ("bce@3", ("bce", 3))])
def test_an_entry_of_an_ensemble_may_name_a_checkpoint(entry: str, found: tuple[str, int]) -> None:
    assert checkpoint_of(entry) == found


def test_a_checkpoint_that_is_not_kept_is_refused(tmp_path: Path) -> None:
    (tmp_path / "two.toml").write_text('of = ["bce", "bce@2"]\ninference = { name = "mean" }\n')
    with pytest.raises(WrongRecipe, match="needs checkpoint 2 of bce"):
        recipe_named(str(tmp_path / "two.toml")).members()
    with pytest.raises(WrongRecipe, match="not a checkpoint"):
        checkpoint_of("bce@zero")


def test_the_docs_list_every_recipe() -> None:
    text = (PROJECT / "docs" / "lab-method.md").read_text(encoding="utf-8")
    for name in recipe_names():
        recipe = lab_recipe(name)
        assert f"| `{name}` | {recipe.changes} | {recipe.team} |" in text
