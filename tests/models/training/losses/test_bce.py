"""Binary cross-entropy on hand-worked numbers, and beside torch's own."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from models.training.losses.bce import Bce


def test_two_films_by_hand() -> None:
    # sigmoid(ln 3) = 3/4, sigmoid(0) = 1/2, sigmoid(-ln 4) = 1/5
    logits = torch.tensor([[math.log(3), 0.0, -math.log(4)], [math.log(3), 0.0, -math.log(4)]])
    labels = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
    first = -math.log(3 / 4) - math.log(1 - 1 / 2) - math.log(1 - 1 / 5)
    second = -math.log(1 - 3 / 4) - math.log(1 / 2) - math.log(1 / 5)
    assert Bce()(logits, labels).tolist() == pytest.approx([first, second], rel=1e-6)


def test_it_is_torchs_own_summed_over_findings() -> None:
    generator = torch.Generator().manual_seed(1)
    logits = torch.randn(20, 5, generator=generator) * 4
    labels = (torch.rand(20, 5, generator=generator) < 0.3).float()
    whole = functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum")
    assert Bce()(logits, labels).sum() == pytest.approx(whole.item(), rel=1e-6)
