"""Normalizations folded into convolutions: the same outputs, without normalizations."""

from __future__ import annotations

from typing import cast

import pytest
import timm
import torch
from timm.layers.norm_act import BatchNormAct2d
from torch import Tensor, nn

from models.classifier.folded_norms import with_folded_norms


def network(architecture: str) -> nn.Module:
    """A network whose normalizations matter: their statistics, factors and addends are random."""
    torch.manual_seed(3)
    built = cast(nn.Module, timm.create_model(architecture, num_classes=5))
    for module in built.modules():
        if isinstance(module, nn.BatchNorm2d) and module.running_mean is not None and module.running_var is not None:
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.5, 2)
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.2)
    return built.eval().requires_grad_(False)


@pytest.mark.parametrize("architecture", ["tf_efficientnet_lite0", "efficientnet_b0", "efficientnet_es"])
def test_outputs_are_the_same_and_no_normalization_is_left(architecture: str) -> None:
    built, inputs = network(architecture), torch.rand(2, 3, 64, 64)
    before: Tensor = built(inputs)
    folded = with_folded_norms(built)
    assert not any(isinstance(module, BatchNormAct2d) for module in folded.modules())
    torch.testing.assert_close(folded(inputs), before, rtol=1e-3, atol=1e-3 * float(before.std()))
    torch.testing.assert_close(built(inputs), before)  # the network itself stays as it was
    assert any(isinstance(module, BatchNormAct2d) for module in built.modules())


@pytest.mark.parametrize("architecture", ["resnet10t", "densenet121"])
def test_other_networks_are_not_copied(architecture: str) -> None:
    built = network(architecture)
    assert with_folded_norms(built) is built


def test_a_network_in_training_is_left_alone() -> None:
    built = network("tf_efficientnet_lite0").train()
    assert with_folded_norms(built) is built
