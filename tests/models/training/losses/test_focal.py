"""Focal loss on hand-worked numbers, and beside torchvision's."""

from __future__ import annotations

import math

import pytest
import torch
from torchvision.ops import sigmoid_focal_loss

from models.training.losses.bce import Bce
from models.training.losses.focal import Focal

GENERATOR = torch.Generator().manual_seed(3)
LOGITS = torch.randn(20, 5, generator=GENERATOR) * 4
LABELS = (torch.rand(20, 5, generator=GENERATOR) < 0.3).float()


def test_three_findings_by_hand() -> None:
    # sigmoid(ln 3) = 3/4, sigmoid(-ln 4) = 1/5, sigmoid(ln 9) = 9/10
    logits = torch.tensor([[math.log(3), -math.log(4), math.log(9)]])
    labels = torch.tensor([[1.0, 1.0, 0.0]])
    # Equation 5: -alpha_t (1 - p_t)^gamma log p_t, p_t being 3/4, 1/5 and 1 - 9/10
    easy = -0.25 * (1 / 4) ** 2 * math.log(3 / 4)
    hard = -0.25 * (4 / 5) ** 2 * math.log(1 / 5)
    absent = -0.75 * (9 / 10) ** 2 * math.log(1 / 10)
    assert Focal()(logits, labels).tolist() == pytest.approx([easy + hard + absent], rel=1e-6)
    # Equation 4: without alpha
    bare = easy / 0.25 + hard / 0.25 + absent / 0.75
    assert Focal(alpha=-1)(logits, labels).tolist() == pytest.approx([bare], rel=1e-6)


def test_without_focus_and_balance_it_is_binary_cross_entropy() -> None:
    torch.testing.assert_close(Focal(gamma=0, alpha=-1)(LOGITS, LABELS), Bce()(LOGITS, LABELS))


@pytest.mark.parametrize(("gamma", "alpha"), [(2.0, 0.25), (2.0, -1.0), (0.5, 0.9), (0.0, 0.25)])
def test_it_is_torchvisions(gamma: float, alpha: float) -> None:
    theirs = sigmoid_focal_loss(LOGITS, LABELS, alpha=alpha, gamma=gamma, reduction="none").sum(1)
    torch.testing.assert_close(Focal(gamma, alpha)(LOGITS, LABELS), theirs)
