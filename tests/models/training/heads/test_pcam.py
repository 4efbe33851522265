"""PCAM pooling by hand."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.heads.pcam import PcamHead


def test_places_weigh_by_their_probability() -> None:
    head = PcamHead(1, 1, 0.5).eval()
    with torch.no_grad():
        head.classifier.weight.fill_(1.0)
        head.classifier.bias.fill_(0.0)
    # scores ln 3 and -ln 3, probabilities 3/4 and 1/4: the pooled feature, and so the logit, is (3/4 - 1/4) ln 3
    maps = torch.tensor([[[[math.log(3), -math.log(3)]]]])
    assert head(maps).logits[0, 0].item() == pytest.approx(math.log(3) / 2, rel=1e-6)


def test_the_logit_is_the_classifier_of_the_pooled_features() -> None:
    torch.manual_seed(0)
    head = PcamHead(3, 2, 0.0).eval()
    maps = torch.randn(4, 3, 2, 2)
    scores = head.classifier(maps.flatten(2).transpose(1, 2))
    shares = torch.sigmoid(scores) / torch.sigmoid(scores).sum(1, keepdim=True)
    pooled = torch.einsum("npk,ncp->nkc", shares, maps.flatten(2))
    expected = (pooled * head.classifier.weight).sum(2) + head.classifier.bias
    torch.testing.assert_close(head(maps).logits, expected)


def test_very_low_scores_do_not_divide_by_zero() -> None:
    head = PcamHead(1, 1, 0.0)
    with torch.no_grad():
        head.classifier.weight.fill_(1.0)
        head.classifier.bias.fill_(0.0)
    maps = torch.full((1, 1, 2, 2), -500.0, requires_grad=True)
    logits = head(maps).logits
    torch.autograd.backward(logits.sum())
    assert logits.item() == pytest.approx(-500) and maps.grad is not None and maps.grad.isfinite().all()
