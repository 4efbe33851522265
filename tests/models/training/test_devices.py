"""Every part computes on its network's device: on `meta`, as on a GPU, a tensor left on the processor raises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from models.training.heads.registry import HEAD_TYPES
from models.training.label_loss import label_loss
from models.training.losses.registry import LOSS_TYPES, build_loss
from models.training.network import network_outputs, new_network
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.similarity.registry import SIMILARITY_TYPES, build_similarity

RECIPE = TrainingRecipe(architecture="resnet18", start="none", size=64)
PREVALENCE = np.array([0.5, 0.2, 0.1], dtype=np.float32)


def films() -> Tensor:
    return torch.empty(4, 1, 64, 64, device="meta")


@pytest.mark.parametrize("head", HEAD_TYPES)
def test_heads(head: str) -> None:
    network = new_network(RECIPE, RecipePart(head), PREVALENCE, 3, {}).to("meta").train()
    assert network_outputs(network, films()).logits.shape == (4, 6)


@pytest.mark.parametrize("changes", [{"mask_weight": 1.0}, {"contrastive_weight": 1.0, "mixup": 0.0}])
def test_second_heads(changes: dict[str, float]) -> None:
    network = new_network(replace(RECIPE, **changes), RecipePart("linear"), PREVALENCE, 3, {}).to("meta")  # type: ignore[arg-type]
    answer = network_outputs(network, films())
    assert answer.masks is not None or answer.vectors is not None


@pytest.mark.parametrize("loss", LOSS_TYPES)
def test_losses(loss: str) -> None:
    network = new_network(RECIPE, RecipePart("linear"), PREVALENCE, 3, {}).to("meta")
    labels, shift = torch.empty(4, 3, device="meta"), torch.empty(4, 3, device="meta")
    parameters = {"weights": (1.0, 2.0, 3.0)} if loss == "result-weighted" else {}
    chosen = build_loss(loss, parameters, [3.0, 2.0, 1.0], 8)
    assert label_loss(chosen, network_outputs(network, films()), shift, labels).shape == (4,)


@pytest.mark.parametrize("similarity", [name for name in SIMILARITY_TYPES if name != "equal-labels"])
def test_similarities(similarity: str) -> None:
    """Equal labels are found by sorting them, which `meta` cannot do."""
    vectors, labels = torch.empty(4, 8, device="meta"), torch.empty(4, 3, device="meta")
    assert build_similarity(similarity, {})(vectors, labels).shape == (4,)
