"""What a training starts from: a file of an earlier one holds the same tensors, whatever their order there."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from models.cards.card import PROJECT
from models.training.network import started_backbone
from models.training.nih.joined_start import nih_start_state
from models.training.nih.nih_recipe import nih_recipes
from models.training.recipe import TrainingRecipe
from models.training.start import start_state
from tests.support.wording import Wording

ARCHITECTURE = TrainingRecipe().architecture
PHANTOM = "models/weights/phantom.safetensors"


def test_a_trained_networks_weights_are_taken_but_for_its_classifier() -> None:
    torch.manual_seed(0)
    state = started_backbone(TrainingRecipe(), 7, start_state(PHANTOM, ARCHITECTURE)).state_dict()
    for name, tensor in load_file(PROJECT / PHANTOM).items():
        if not name.startswith("classifier"):
            assert torch.equal(state[name], tensor.to(state[name].dtype)), name
    assert state["classifier.weight"].shape[0] == 7


def test_weights_of_another_network_are_refused(tmp_path: Path, wording: Wording) -> None:
    save_file({"layer.weight": torch.zeros(2)}, tmp_path / "other.safetensors")
    with pytest.raises(ValueError) as caught:
        start_state(str(tmp_path / "other.safetensors"), ARCHITECTURE)
    wording(caught.value, "other.safetensors", "tf_efficientnet_lite0", "conv_stem.weight", "244")


def test_every_recipe_of_nih_films_has_a_start_that_is_there() -> None:
    for recipe in nih_recipes().values():
        state = nih_start_state(recipe.start, recipe.recipe.architecture)
        joined = sum(name.startswith("down.") for name in state)
        assert len(state) - joined == 296 and joined == (50 if recipe.name == "nih-anatomy-probe" else 0)
