"""Diverse experts by hand: their divergence, their temperatures, and that they answer by the mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from models.training.heads.diverse_experts import DiverseExpertsHead, mean_divergence, rarity_temperatures


def test_the_divergence_of_two_experts_by_hand() -> None:
    # probabilities 3/4 and 1/4 of one finding on one film: each divergence is 3/4 ln 3 + 1/4 ln(1/3) = ln(3) / 2
    parts = torch.tensor([[[math.log(3)], [-math.log(3)]]])
    assert mean_divergence(parts).item() == pytest.approx(math.log(3) / 2, rel=1e-6)
    # a finding they agree on adds nothing, and a second film of agreement halves the mean
    more = torch.tensor([[[math.log(3), 1.0], [-math.log(3), 1.0]], [[2.0, 0.0], [2.0, 0.0]]])
    assert mean_divergence(more).item() == pytest.approx(math.log(3) / 4, rel=1e-6)


def test_temperatures_by_hand() -> None:
    # n / mean(n) = 3/2 and 1/2; with half mixed: b = 5/4 and 3/4
    assert rarity_temperatures(torch.tensor([30.0, 10.0]), 0.5).tolist() == pytest.approx([1.0, 0.6])
    assert rarity_temperatures(torch.tensor([30.0, 10.0]), 0.0).tolist() == [1.0, 1.0]


def test_they_answer_by_their_mean_and_are_pushed_apart() -> None:
    torch.manual_seed(0)
    head = DiverseExpertsHead(4, 2, 0.0, experts=3, width=5, diversity=0.5).eval()
    head.see_labels(("A", "B"), np.array([[1, 0], [1, 1], [1, np.nan]], np.float32))
    assert head.get_buffer("temperatures")[1] < head.get_buffer("temperatures")[0] == 1
    found = head(torch.randn(6, 4, 3, 3))
    assert found.parts is not None and found.parts.shape == (6, 3, 2)
    torch.testing.assert_close(found.logits, found.parts.mean(1))
    apart = mean_divergence(found.parts / head.get_buffer("temperatures"))
    assert found.auxiliary.item() == pytest.approx(-0.5 * apart.item(), rel=1e-5)


@pytest.mark.parametrize("wrong", [{"experts": 1}, {"diversity": -1.0}, {"mixed": 2.0}, {"sharpness": -1.0}])
def test_what_is_no_ensemble_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"experts of width|out of range"):
        DiverseExpertsHead(4, 2, 0.0, **wrong)  # type: ignore[arg-type]
