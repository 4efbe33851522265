"""The three-class loss by hand."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.losses.bce import Bce
from models.training.losses.three_class import three_class_loss

NAN = float("nan")


def test_three_findings_by_hand() -> None:
    # absent, present and uncertain are as 1 to 2 to 3: probabilities 1/6, 1/3 and 1/2
    logits, doubts = torch.full((1, 4), math.log(2)), torch.full((1, 4), math.log(3))
    labels = torch.tensor([[0.0, 1.0, NAN, NAN]])
    uncertain = torch.tensor([[False, False, True, False]])
    expected = math.log(6) + math.log(3) + math.log(2)
    assert three_class_loss(logits, doubts, labels, uncertain).tolist() == pytest.approx([expected])


def test_without_doubt_it_is_binary_cross_entropy() -> None:
    generator = torch.Generator().manual_seed(3)
    logits, labels = torch.randn(5, 3, generator=generator), (torch.rand(5, 3, generator=generator) < 0.5).float()
    found = three_class_loss(logits, torch.full((5, 3), -50.0), labels, torch.zeros(5, 3, dtype=torch.bool))
    torch.testing.assert_close(found, Bce()(logits, labels))


def test_unknown_pairs_have_no_slope_and_uncertain_ones_raise_the_doubt() -> None:
    logits, doubts = torch.zeros(1, 2, requires_grad=True), torch.zeros(1, 2, requires_grad=True)
    labels, uncertain = torch.tensor([[NAN, NAN]]), torch.tensor([[False, True]])
    torch.autograd.backward(three_class_loss(logits, doubts, labels, uncertain).sum())
    assert logits.grad is not None and doubts.grad is not None
    assert logits.grad[0, 0] == doubts.grad[0, 0] == 0
    assert doubts.grad[0, 1].item() == pytest.approx(1 / 3 - 1) and logits.grad[0, 1].item() == pytest.approx(1 / 3)
