"""Experts in place of a layer: by hand, and in the networks that have a layer they can replace."""

from __future__ import annotations

import copy
import math

import pytest
import timm
import torch
from torch import nn

from models.training.expert_layer import ExpertLayer, add_experts, balance_loss


def test_two_experts_by_hand() -> None:
    layer = ExpertLayer(nn.Linear(1, 1, bias=False), 1, 2)
    with torch.no_grad():
        layer.experts[0].weight.fill_(1.0)  # type: ignore[operator, union-attr]
        layer.experts[1].weight.fill_(5.0)  # type: ignore[operator, union-attr]
        layer.gate.weight.copy_(torch.tensor([[math.log(3)], [0.0]]))
    # at 1 the gate gives 3/4 and 1/4, at -1 it gives 1/4 and 3/4
    values = layer(torch.tensor([[1.0], [-1.0]]))
    assert values.flatten().tolist() == pytest.approx([3 / 4 + 5 / 4, -1 / 4 - 15 / 4])
    # each expert is the first choice of one token, and both mean shares are 1/2
    assert layer.last_balance.item() == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "layers"), [("tf_efficientnet_lite0", 1), ("convnext_atto", 2)])
def test_a_network_first_answers_as_before(name: str, layers: int) -> None:
    torch.manual_seed(0)
    body = timm.create_model(name, in_chans=1, num_classes=3).eval()
    films = torch.randn(2, 1, 64, 64)
    before = body(films)
    assert balance_loss(body).item() == 0
    add_experts(body, layers, 3)
    torch.testing.assert_close(body(films), before, rtol=1e-4, atol=1e-5)
    assert 0.5 < balance_loss(body).item() <= 3


def test_a_layer_is_copied_after_a_batch() -> None:
    layer = ExpertLayer(nn.Linear(2, 2), 2, 2)
    layer(torch.ones(3, 2))
    assert layer.last_balance.requires_grad
    assert copy.deepcopy(layer).last_balance.item() == 0


def test_what_experts_cannot_replace_is_refused() -> None:
    body = timm.create_model("tf_efficientnet_lite0", in_chans=1)
    with pytest.raises(ValueError, match="no such layer"):
        add_experts(body, 2, 3)
    with pytest.raises(ValueError, match="of 1 experts"):
        add_experts(body, 1, 1)
