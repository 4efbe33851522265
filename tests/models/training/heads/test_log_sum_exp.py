"""Log-sum-exp pooling by hand, and its two ends."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.heads.log_sum_exp import LogSumExpHead, pool_log_sum_exp

SCORES = torch.tensor([[[0.0], [math.log(3)]]])  # two places of one film


def test_two_places_by_hand() -> None:
    assert pool_log_sum_exp(SCORES, 1.0).item() == pytest.approx(math.log((1 + 3) / 2), rel=1e-6)
    assert pool_log_sum_exp(SCORES, 2.0).item() == pytest.approx(math.log((1 + 9) / 2) / 2, rel=1e-6)


def test_it_lies_between_the_mean_and_the_largest() -> None:
    assert pool_log_sum_exp(SCORES, 1e-3).item() == pytest.approx(math.log(3) / 2, abs=1e-3)
    assert pool_log_sum_exp(SCORES, 100.0).item() == pytest.approx(math.log(3), abs=0.01)


@pytest.mark.parametrize("sharpness", [0.0, -1.0, math.inf, math.nan])
def test_a_sharpness_without_meaning_is_refused(sharpness: float) -> None:
    with pytest.raises(ValueError, match="above 0 and finite"):
        LogSumExpHead(2, 1, 0.0, sharpness=sharpness)
