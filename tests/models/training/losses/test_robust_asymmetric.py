"""Robust asymmetric loss on hand-worked numbers."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.robust_asymmetric import RobustAsymmetric


def test_a_positive_by_hand() -> None:
    # sigmoid(-ln 4) = 1/5: -log p = .8 + .8^2 / 2 + .8^3 / 3 + ...; the first term goes, the second becomes 1.75 .8^2
    by_hand = -math.log(1 / 5) - 0.8 + 2.5 * 0.8**2 / 2
    series = sum(0.8**m / m for m in range(3, 400)) + 1.75 * 0.8**2
    assert by_hand == pytest.approx(series)
    logits, labels = torch.tensor([[-math.log(4)]]), torch.ones(1, 1)
    assert RobustAsymmetric()(logits, labels).item() == pytest.approx(by_hand, rel=1e-5)
    assert RobustAsymmetric(gamma_positive=2)(logits, labels).item() == pytest.approx(0.8**2 * by_hand, rel=1e-5)


def test_a_negative_by_hand() -> None:
    present = 3 / 4  # sigmoid(ln 3)
    shifted = present - 0.05  # .7, so that r is .3
    hill = (1.5 - 0.75) * 0.75**2  # Hill loss of a negative: (lambda - p) p^2
    by_hand = -hill * (1.5 - 0.3) * shifted**4 * math.log(0.3)
    logits, labels = torch.tensor([[math.log(3)]]), torch.zeros(1, 1)
    assert RobustAsymmetric()(logits, labels).item() == pytest.approx(by_hand, rel=1e-5)


def test_a_negative_below_the_clip_counts_nothing() -> None:
    assert RobustAsymmetric()(torch.tensor([[-math.log(99)]]), torch.zeros(1, 1)).item() == 0


def test_positives_without_the_polynomial_are_asymmetric_loss() -> None:
    logits = torch.linspace(-6, 6, 25)[:, None]
    ours = RobustAsymmetric(gamma_positive=1, first=0, second=0)(logits, torch.ones_like(logits))
    torch.testing.assert_close(ours, Asymmetric(gamma_positive=1)(logits, torch.ones_like(logits)))


def test_the_loss_falls_as_the_logit_goes_the_right_way() -> None:
    logits = torch.linspace(-20, 20, 401)[:, None]
    falling = RobustAsymmetric()(logits, torch.ones_like(logits)).diff()
    rising = RobustAsymmetric()(logits, torch.zeros_like(logits)).diff()
    assert (falling <= 1e-6).all()
    assert (rising >= -1e-6).all()
