"""Weights by results, by hand."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.losses.bce import Bce
from models.training.losses.result_weighted import ResultWeighted, result_weights


def test_two_findings_by_hand() -> None:
    # sigmoid(ln 3) = 3/4 of both; only the positive is weighted
    logits, labels = torch.tensor([[math.log(3), math.log(3)]]), torch.tensor([[1.0, 0.0]])
    loss = ResultWeighted((2.0, 5.0))(logits, labels)
    assert loss.tolist() == pytest.approx([2 * -math.log(3 / 4) - math.log(1 / 4)])
    torch.testing.assert_close(ResultWeighted()(logits, labels), Bce()(logits, labels))


def test_what_is_ranked_badly_weighs_more() -> None:
    assert result_weights([0.9, 0.5, math.nan]) == pytest.approx((0.1 / 0.3, 0.5 / 0.3, 1.0))
    assert result_weights([1.0, 1.0]) == result_weights([math.nan, math.nan]) == (1.0, 1.0)


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="below 0"):
        ResultWeighted((-1.0,))
