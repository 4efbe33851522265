"""Weighted asymmetric loss on hand-worked numbers."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.weighted_asymmetric import WeightedAsymmetric


def test_two_findings_by_hand() -> None:
    # sigmoid(ln 3) = 3/4, sigmoid(-ln 4) = 1/5; prevalences 1/10 and 1/2
    logits, labels = torch.tensor([[math.log(3), -math.log(4)]]), torch.tensor([[1.0, 0.0]])
    present = math.exp(1 - 1 / 10) * (1 - 3 / 4) * -math.log(3 / 4)  # gamma 1
    shifted = 1 / 5 - 0.05
    absent = math.exp(1 / 2) * shifted**4 * -math.log(1 - shifted)  # gamma 4
    loss = WeightedAsymmetric((10, 50), 100)
    assert loss(logits, labels).tolist() == pytest.approx([present + absent], rel=1e-5)


def test_findings_on_half_of_the_films_weigh_alike() -> None:
    generator = torch.Generator().manual_seed(3)
    logits, labels = torch.randn(9, 2, generator=generator) * 3, (torch.rand(9, 2, generator=generator) < 0.4).float()
    found = WeightedAsymmetric((10, 10), 20)(logits, labels)
    torch.testing.assert_close(found, math.exp(0.5) * Asymmetric(4, 1, 0.05)(logits, labels))
