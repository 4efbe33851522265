"""Class-weighted binary cross-entropy on hand-worked numbers."""

from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from models.training.losses.bce import Bce
from models.training.losses.weighted_bce import WeightedBce

# sigmoid(ln 3) = 3/4 and sigmoid(-ln 4) = 1/5
LOGITS, LABELS = torch.tensor([[math.log(3), -math.log(4)]]), torch.tensor([[0.0, 1.0]])
FIRST, SECOND = -math.log(1 - 3 / 4), -math.log(1 / 5)


def test_inverse_frequency_by_hand() -> None:
    # 1/30 and 1/10 have the mean 1/15: weights 1/2 and 3/2
    loss = WeightedBce((30.0, 10.0), 100, weights="inverse-frequency")
    assert loss(LOGITS, LABELS).tolist() == pytest.approx([FIRST / 2 + 3 / 2 * SECOND], rel=1e-6)


def test_effective_number_by_hand() -> None:
    # beta 1/2, two films and one: effective numbers 3/2 and 1, inverses 2/3 and 1, weights 4/5 and 6/5
    loss = WeightedBce((2.0, 1.0), 3, beta=0.5)
    assert loss(LOGITS, LABELS).tolist() == pytest.approx([4 / 5 * FIRST + 6 / 5 * SECOND], rel=1e-6)


def test_on_positives_only_the_absent_finding_counts_as_it_would() -> None:
    loss = WeightedBce((30.0, 10.0), 100, weights="inverse-frequency", positives_only=True)
    assert loss(LOGITS, LABELS).tolist() == pytest.approx([FIRST + 3 / 2 * SECOND], rel=1e-6)


def test_on_positives_only_it_is_torchs_own_with_weights_of_positives() -> None:
    generator = torch.Generator().manual_seed(2)
    logits = torch.randn(20, 2, generator=generator)
    labels = (torch.rand(20, 2, generator=generator) < 0.3).float()
    loss = WeightedBce((30.0, 10.0), 100, weights="inverse-frequency", positives_only=True)
    own = functional.binary_cross_entropy_with_logits(
        logits, labels, reduction="none", pos_weight=torch.tensor([0.5, 1.5])
    )
    torch.testing.assert_close(loss(logits, labels), own.sum(1))


@pytest.mark.parametrize("weights", ["inverse-frequency", "effective-number"])
def test_with_findings_equally_common_it_is_plain(weights: str) -> None:
    torch.testing.assert_close(WeightedBce((7.0, 7.0), 100, weights)(LOGITS, LABELS), Bce()(LOGITS, LABELS))
