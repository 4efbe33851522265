"""Networks that answer together, on numbers worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from scipy.special import logit
from torch import Tensor, nn

from models.training.inference.class_wise import ClassWiseEnsemble
from models.training.inference.frequency_experts import FrequencyExperts
from models.training.inference.logit_adjustment import LogitAdjustment
from models.training.inference.mean import MeanEnsemble
from models.training.inference.normal_gating import NormalGating, gate_scores
from models.training.inference.projection_router import ProjectionRouter
from models.training.inference.registry import build_inference
from models.training.inference.ten_crops import TenCrops
from models.training.inference.two_stage import LOWEST_LOGIT, TwoStage
from tests.support.wording import Wording

FINDINGS = ("Normal", "Mass", "Support Devices")
FILMS = np.zeros((2, 8, 8), dtype=np.uint8)


class Says(nn.Module):
    """The same logits of every film."""

    def __init__(self, *logits: float) -> None:
        super().__init__()
        self.logits = torch.tensor(logits)

    def forward(self, films: Tensor) -> Tensor:
        return self.logits.expand(len(films), -1)


def test_gating_multiplies_by_how_sure_it_is_that_a_film_is_not_normal() -> None:
    network = Says(logit(0.8), logit(0.5), logit(0.5))
    said = NormalGating()([network], FILMS, FINDINGS)
    np.testing.assert_allclose(said[0], [logit(0.8), logit(0.5 * 0.2), logit(0.5)], rtol=1e-5)
    halfway = NormalGating(strength=0.5)([network], FILMS, FINDINGS)
    np.testing.assert_allclose(halfway[1, 1], logit(0.5 * 0.2**0.5), rtol=1e-5)
    np.testing.assert_allclose(NormalGating(0.0)([network], FILMS, FINDINGS)[0], network.logits, atol=1e-6)


def test_gating_holds_at_the_ends_of_the_scale() -> None:
    logits = np.array([[50, 60, 0], [-50, 60, 0], [0, -90, 0]], dtype=np.float32)
    said = gate_scores(logits, logits[:, 0], FINDINGS)
    assert np.isfinite(said).all()
    np.testing.assert_allclose(said[[0, 2], 1], [-50, -90 + np.log(0.5)], rtol=1e-5)
    assert said[1, 1] > 40


def test_two_stages_take_normal_from_the_first_and_the_rest_from_the_second() -> None:
    said = TwoStage()([Says(logit(0.9), 5, 5), Says(9, logit(0.6), logit(0.3))], FILMS, FINDINGS)
    np.testing.assert_allclose(said[0], [logit(0.9), logit(0.6 * 0.1), logit(0.3)], rtol=1e-5)


def test_a_hard_gate_calls_a_film_normal_or_hands_it_on() -> None:
    second = Says(9, logit(0.6), logit(0.3))
    closed = TwoStage(hard=True)([Says(logit(0.5), 5, 5), second], FILMS, FINDINGS)
    np.testing.assert_allclose(closed[0], [0, LOWEST_LOGIT, logit(0.3)], rtol=1e-5, atol=1e-6)
    open_ = TwoStage(hard=True, threshold=0.6)([Says(logit(0.5), 5, 5), second], FILMS, FINDINGS)
    np.testing.assert_allclose(open_[0], [0, logit(0.6), logit(0.3)], rtol=1e-5, atol=1e-6)


def test_networks_for_common_and_rare_findings_answer_with_one_for_all() -> None:
    shares = {"Normal": 0.5, "Mass": 0.01, "Support Devices": 0.02}
    networks = [Says(1, 1, 1), Says(3, 9, 5), Says(9, 7, 9)]
    np.testing.assert_allclose(FrequencyExperts(cut=0.02)(networks, FILMS, shares)[0], [2, 4, 3])


def test_a_finding_weighs_networks_by_their_average_precision() -> None:
    """The first ranks a mass first of four and second for devices; the second network does the opposite."""
    labels = np.array([[np.nan, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=np.float32)
    one = np.array([[0, 4, 4], [0, 3, 3], [0, 2, 2], [0, 1, 1]], dtype=np.float32)
    other = np.array([[0, 3, 3], [0, 4, 4], [0, 2, 2], [0, 1, 1]], dtype=np.float32)
    made = ClassWiseEnsemble(power=2.0).fitted([one, other], labels)
    # precision 1 and 1/2, squared 1 and 1/4: weights 4/5 and 1/5; Normal, absent on all films, weighs both alike
    np.testing.assert_allclose(made.weights, [[0.5, 0.8, 0.2], [0.5, 0.2, 0.8]], rtol=1e-6)
    said = made([Says(0, 5, 5), Says(2, 0, 0)], FILMS, FINDINGS)
    np.testing.assert_allclose(said[0], [1, 4, 1], rtol=1e-6)


def test_ties_of_a_ranking_share_a_threshold() -> None:
    labels = np.array([[1], [0], [1], [0]], dtype=np.float32)
    tied, ranked = np.zeros((4, 1), np.float32), np.array([[4], [3], [2], [1]], np.float32)
    made = ClassWiseEnsemble(power=1.0).fitted([tied, ranked], labels)
    # 1/2 for all four tied; 1/2 (1 + 2/3) = 5/6 for the ranking
    np.testing.assert_allclose(made.weights[:, 0], [3 / 8, 5 / 8], rtol=1e-6)


def test_the_router_weighs_its_branches_by_the_view() -> None:
    router = Says(7, 7, 7, logit(0.25), 0, 0)  # findings, then AP view, sex and age
    said = ProjectionRouter()([router, Says(1, 2, 3, 9), Says(5, 2, -1, 9)], FILMS, FINDINGS)
    np.testing.assert_allclose(said[0], [0.75 * 1 + 0.25 * 5, 2, 0.75 * 3 - 0.25], rtol=1e-6)


def test_a_branch_may_have_several_networks_and_one_branch_may_answer_alone() -> None:
    router = Says(7, 7, 7, logit(0.25), 0, 0)
    networks = [router, Says(1, 2, 3), Says(3, 2, 1), Says(5, 5, 5), Says(7, 7, 7)]
    np.testing.assert_allclose(ProjectionRouter()(networks, FILMS, FINDINGS)[0], [3, 3, 3], rtol=1e-6)
    np.testing.assert_allclose(ProjectionRouter(hard=True)(networks, FILMS, FINDINGS)[0], [2, 2, 2], rtol=1e-6)
    with pytest.raises(ValueError, match="3 do not divide"):
        ProjectionRouter()(networks[:4], FILMS, FINDINGS)


def test_a_mean_weighs_all_alike_or_the_first_as_it_is_told() -> None:
    networks = [Says(0, 3, 6), Says(3, 3, 0), Says(6, 3, 0)]
    np.testing.assert_allclose(MeanEnsemble()(networks, FILMS, FINDINGS)[0], [3, 3, 2], rtol=1e-6)
    gated_mean = MeanEnsemble(gating=1.0)(networks, FILMS, FINDINGS)[0]
    np.testing.assert_allclose(
        gated_mean, gate_scores(np.array([[3, 3, 2]], np.float32), np.array([3.0]), FINDINGS)[0], rtol=1e-6
    )
    np.testing.assert_allclose(
        MeanEnsemble(weights=(2.0, 1.0, 1.0))(networks, FILMS, FINDINGS)[0], [2.25, 3, 3], rtol=1e-6
    )


def test_a_mean_may_be_that_of_probabilities() -> None:
    networks = [Says(logit(0.9), 90, -90), Says(logit(0.5), 90, -90)]
    said = MeanEnsemble(weights=(3.0, 1.0), probability=True)(networks, FILMS, FINDINGS)
    np.testing.assert_allclose(said[0, 0], logit((3 * 0.9 + 0.5) / 4), rtol=1e-5)
    assert np.isfinite(said).all() and said[0, 1] > 60 and said[0, 2] < -60


def test_logit_adjustment_takes_off_what_prevalence_says() -> None:
    prevalence = {"Normal": 0.5, "Mass": 0.01, "Support Devices": 0.0}
    said = LogitAdjustment()([Says(1, logit(0.01), 2)], FILMS, prevalence)
    np.testing.assert_allclose(said[0], [1, 0, 2], atol=1e-6)  # no surer of a mass than its prevalence is
    halfway = LogitAdjustment(strength=0.5)([Says(1, 0, 2)], FILMS, prevalence)
    np.testing.assert_allclose(halfway[1], [1, np.log(99) / 2, 2], rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "parameters", "networks", "why"),
    [
        ("guess", {}, 1, "inference 'guess'. Choose"),
        ("turns", {"degrees": "five"}, 1, "inference 'turns' is 'five'"),
        ("mirror", {"side": 1.0}, 1, "parameter 'side'. Remove"),
        ("turns", {}, 2, "`of` names 2 recipes"),
        ("mean", {}, 1, "`of` names 1 recipes"),
        ("ten-crops", {"share": 1.5}, 1, "crop is 1.5"),
        ("normal-gating", {"strength": -1}, 1, "normal gating is -1"),
        ("logit-adjustment", {"strength": -1.0}, 1, "logit adjustment is -1.0"),
        ("mean", {"gating": -1.0}, 2, "normal gating is -1.0"),
        ("mean", {"weights": (1.0,)}, 2, "1 weights for 2 networks"),
        ("mean", {"weights": (2.0, -1.0)}, 2, "give numbers of 0 or more"),
        ("mean", {"weights": (1.0, "much")}, 2, "Give a list of numbers"),
        ("mean", {"degrees": 60.0}, 2, "turned by 60.0 degrees"),
    ],
)
def test_what_does_not_suit_is_refused(
    name: str, parameters: dict[str, Any], networks: int, why: str, wording: Wording
) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        build_inference(name, parameters, networks)
    assert why in str(refused.value)
    wording(refused.value)


def test_parameters_reach_the_way() -> None:
    assert build_inference("ten-crops", {"share": 0.8, "mirror": False}, 1) == TenCrops(0.8, mirror=False)
