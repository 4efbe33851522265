"""The systems of the papers: each is whole in its file, and its recipes exist at both sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.training import lab_system as systems
from models.training.lab_recipe import WrongRecipe, lab_recipe, recipe_named
from models.training.lab_system import full_recipes, recipes_of_system, system_names


@pytest.mark.parametrize("name", system_names())
def test_a_system_names_recipes_that_there_are(name: str, tmp_path: Path) -> None:
    system = systems.lab_system(name)
    recipes = recipes_of_system(system)
    if system.recipe:
        assert recipes[-1].name == system.recipe and recipes[-1].system == name
    assert set(system.networks) <= {recipe.name for recipe in recipes if recipe.stages}
    texts = full_recipes(system)
    for file, text in texts.items():
        (tmp_path / f"{file}.toml").write_text(text)
    for file, recipe in zip(texts, recipes, strict=True):
        full = recipe_named(str(tmp_path / f"{file}.toml"))
        assert full.film_size >= recipe.film_size and len(full.members()) == len(recipe.members())
        assert all(each.folder == tmp_path for each in full.members() if each.name.endswith("-full"))


def test_the_first_of_2026_is_its_loss_on_its_sampling_with_three_checkpoints() -> None:
    system = systems.lab_system("2026-task1-a")
    network, whole = recipes_of_system(system)
    (stage,) = network.stages
    assert (stage.loss.name, stage.sampler, network.checkpoints) == ("distribution-balanced", "class-aware", 3)
    assert whole.inference is not None
    assert dict(whole.inference.parameters) == {"weights": (0.5, 0.3, 0.2), "degrees": 5.0, "gating": 1.0}
    assert system.label == "2026 Task 1 A" and not any(part.state == "missing" for part in system.parts)
    assert system.needs() == ("needs a GPU", "needs a network")
    full = full_recipes(system)["2026-task1-a-full"]
    assert '"2026-task1-a-network-full@2"' in full and 'system = "2026-task1-a"' in full
    assert lab_recipe("2026-task1-a").system == "2026-task1-a"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = ", "invalid"),
        ('challenge = "C"\nteam = "A"\nsource = "s"\n', "no part"),
        ('challenge = "C"\nteam = "A"\nsource = "s"\n[[parts]]\nname = "p"\nstate = "half"\n', "is 'half'"),
        ('challenge = "C"\nteam = "A"\nsource = "s"\n[[parts]]\nname = "p"\nstate = "missing"\n', "Say why"),
        ('challenge = "C"\nteam = "A"\n[[parts]]\nname = "p"\nstate = "whole"\n', "source is not a text"),
        ('challenge = "C"\n[published]\nback = "b"\n', "Did you mean backbone?"),
    ],
)
def test_a_wrong_system_is_refused_in_words(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(text)
    monkeypatch.setattr(systems, "SYSTEMS_FOLDER", tmp_path)
    with pytest.raises(WrongRecipe) as refused:
        systems.lab_system("mine")
    assert why in f"{refused.value.title}. {refused.value.detail}"
    with pytest.raises(WrongRecipe, match="no system"):
        systems.lab_system("min")
