"""LDAM in its form for several findings on hand-worked numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from models.training.losses.bce import Bce
from models.training.losses.ldam import Ldam

# With 16 and 1,296 films, n^(1/4) is 2 and 6: C = .5 * 2 = 1 gives the margins 1/2 and 1/6.
POSITIVES, FILMS = (16.0, 1296.0), 10_000
LOGITS, LABELS = torch.tensor([[0.2, -0.1], [0.2, -0.1]]), torch.tensor([[1.0, 0.0], [1.0, 1.0]])


def test_two_films_by_hand() -> None:
    rare = math.log(1 + math.exp(-4 * (0.2 - 1 / 2)))  # scale 4
    common = math.log(1 + math.exp(-4 * (-0.1 - 1 / 6)))
    absent = math.log(1 + math.exp(4 * -0.1))  # no margin
    loss = Ldam(POSITIVES, FILMS, scale=4)(LOGITS, LABELS)
    assert loss.tolist() == pytest.approx([rare + absent, rare + common], rel=1e-6)


def test_reweighted_by_hand() -> None:
    # beta 1/2 with 1 and 2 films: inverse effective numbers 1 and 2/3, weights 6/5 and 4/5
    margins = [0.5, 0.5 / 2**0.25]
    rare = 6 / 5 * math.log(1 + math.exp(-(0.2 - margins[0])))
    common = 4 / 5 * math.log(1 + math.exp(-(-0.1 - margins[1])))
    absent = math.log(1 + math.exp(-0.1))  # the weight is that of positives
    loss = replace(Ldam((1.0, 2.0), 3, scale=1, beta=0.5), reweighted=True)
    assert loss(LOGITS, LABELS).tolist() == pytest.approx([rare + absent, rare + common], rel=1e-6)


def test_without_margin_and_scale_it_is_binary_cross_entropy() -> None:
    torch.testing.assert_close(Ldam(POSITIVES, FILMS, margin=0, scale=1)(LOGITS, LABELS), Bce()(LOGITS, LABELS))
