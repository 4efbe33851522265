"""Asymmetric loss on hand-worked numbers, beside that of the shipped classifiers' training and timm's."""

from __future__ import annotations

import math

import pytest
import torch
from timm.loss import AsymmetricLossMultiLabel
from torch.nn import functional

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.bce import Bce
from models.training.losses.registry import build_loss
from models.training.recipe import TrainingRecipe

GENERATOR = torch.Generator().manual_seed(4)
LOGITS = torch.randn(20, 5, generator=GENERATOR) * 4
LABELS = (torch.rand(20, 5, generator=GENERATOR) < 0.3).float()
EXTREME = torch.tensor([[80.0, -80.0, 0.0]])


def test_three_findings_by_hand() -> None:
    # sigmoid(ln 3) = 3/4, sigmoid(-ln 4) = 1/5, sigmoid(-ln 99) = 1/100
    logits = torch.tensor([[math.log(3), -math.log(4), -math.log(99)]])
    labels = torch.tensor([[1.0, 0.0, 0.0]])
    present = -((1 - 3 / 4) ** 1) * math.log(3 / 4)  # L+ with gamma 1
    shifted = 1 / 5 - 0.05  # p_m = max(p - m, 0)
    absent = -(shifted**4) * math.log(1 - shifted)  # L- with gamma 4
    # the third is below the margin: p_m is 0, and so is its loss
    assert Asymmetric(gamma_positive=1)(logits, labels).tolist() == pytest.approx([present + absent], rel=1e-5)


@pytest.mark.parametrize(("gamma", "clip"), [(3.0, 0.05), (4.0, 0.0), (0.0, 0.0), (1.5, 0.2)])
def test_it_is_what_the_shipped_classifiers_were_trained_with_to_the_last_digit(gamma: float, clip: float) -> None:
    for logits, labels in ((LOGITS, LABELS), (EXTREME, torch.zeros(1, 3)), (EXTREME, torch.ones(1, 3))):
        shifted = (torch.sigmoid(logits) - clip).clamp_min(0)
        absent = (1 - labels) * shifted**gamma * torch.log((1 - shifted).clamp_min(1e-6))
        expected = -(labels * functional.logsigmoid(logits) + absent).sum(1)
        assert torch.equal(Asymmetric(gamma, 0.0, clip)(logits, labels), expected)


def test_it_is_the_default_recipes() -> None:
    loss = TrainingRecipe().loss
    assert build_loss(loss.name, loss.parameters, [1], 2) == Asymmetric(gamma_negative=3.0, clip=0.05)


def test_without_focus_and_clip_it_is_binary_cross_entropy() -> None:
    logits = LOGITS.clamp(-8, 8)  # beyond, the floor under the logarithm shows
    torch.testing.assert_close(Asymmetric(0, 0, 0)(logits, LABELS), Bce()(logits, LABELS), rtol=1e-4, atol=1e-5)


def test_without_clip_and_with_one_gamma_it_is_focal() -> None:
    # sigmoid(0) = 1/2 on both sides: (1/2)^2 ln 2 each
    loss = Asymmetric(2, 2, 0)(torch.zeros(1, 2), torch.tensor([[1.0, 0.0]]))
    assert loss.tolist() == pytest.approx([2 * math.log(2) / 4])


@pytest.mark.parametrize(("negative", "positive", "clip"), [(4.0, 0.0, 0.05), (4.0, 1.0, 0.05), (2.0, 1.0, 0.2)])
def test_its_mean_over_films_is_timms(negative: float, positive: float, clip: float) -> None:
    theirs = AsymmetricLossMultiLabel(negative, positive, clip)(LOGITS, LABELS)
    assert Asymmetric(negative, positive, clip)(LOGITS, LABELS).mean() == pytest.approx(theirs.item(), rel=1e-5)
