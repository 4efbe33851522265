"""The linear head against its formula by hand."""

from __future__ import annotations

import pytest
import torch

from models.training.heads.linear import LinearHead
from tests.support.wording import Wording


def test_logits_by_hand() -> None:
    head = LinearHead(2, 2, 0.5).eval()
    with torch.no_grad():
        head.classifier.weight.copy_(torch.tensor([[1.0, 2.0], [0.5, -1.0]]))
        head.classifier.bias.copy_(torch.tensor([0.25, -0.5]))
    maps = torch.tensor([[[[1.0, 3.0]], [[0.0, 4.0]]]])  # means 2 and 2
    assert head(maps).logits.tolist() == [[2 + 4 + 0.25, 1 - 2 - 0.5]]


def test_every_finding_begins_with_the_given_log_odds() -> None:
    head = LinearHead(3, 4, 0.0, initial_bias=-2.0)
    assert head(torch.zeros(1, 3, 2, 2)).logits.tolist() == [[-2.0] * 4]


def test_weights_are_drawn_as_timm_draws_them() -> None:
    torch.manual_seed(1)
    largest = float(LinearHead(1280, 30, 0.0).classifier.weight.detach().abs().max())
    assert largest == pytest.approx(30**-0.5, rel=1e-3) and largest <= 30**-0.5


def test_what_makes_no_head_is_refused(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        LinearHead(0, 2, 0.0)
    wording(caught.value, "0 channels", "2 findings", "at least 1")
    with pytest.raises(ValueError, match="dropout is 1.0"):
        LinearHead(1, 2, 1.0)
