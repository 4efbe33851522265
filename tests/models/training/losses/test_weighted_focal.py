"""Weighted focal loss on hand-worked numbers."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.losses.focal import Focal
from models.training.losses.weighted_focal import WeightedFocal


def test_three_findings_by_hand() -> None:
    # sigmoid(ln 3) = 3/4. Inverse frequency of 60, 20 and 20 films: 1/60, 3/60, 3/60, of mean 1: 3/7, 9/7, 9/7.
    logits = torch.tensor([[math.log(3), math.log(3), -math.log(3)]])
    labels = torch.tensor([[1.0, 0.0, 1.0]])
    easy, hard = (1 / 4) ** 2 * -math.log(3 / 4), (3 / 4) ** 2 * -math.log(1 / 4)
    loss = WeightedFocal((60, 20, 20), 100, gamma=2, weights="inverse-frequency")
    # the second is absent, so that its weight does not count
    assert loss(logits, labels).tolist() == pytest.approx([3 / 7 * easy + hard + 9 / 7 * hard], rel=1e-5)


def test_equally_frequent_findings_give_the_focal_loss() -> None:
    generator = torch.Generator().manual_seed(3)
    logits, labels = torch.randn(9, 3, generator=generator) * 3, (torch.rand(9, 3, generator=generator) < 0.4).float()
    found = WeightedFocal((7, 7, 7), 20)(logits, labels)
    torch.testing.assert_close(found, Focal(gamma=2, alpha=-1)(logits, labels))


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="effective-number"):
        WeightedFocal((1,), 2, weights="even")
