"""A recipe's words become a loss, or a sentence that says what is wrong."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from models.training.losses.asymmetric import Asymmetric
from models.training.losses.bce import Bce
from models.training.losses.distribution_balanced import DistributionBalanced
from models.training.losses.ldam import Ldam
from models.training.losses.registry import build_loss
from models.training.losses.weighted_bce import WeightedBce
from tests.support.wording import Wording

COUNTS = ((30, 10), 100)


def test_a_loss_has_the_counts_where_it_needs_them() -> None:
    assert build_loss("bce", {}, *COUNTS) == Bce()
    assert build_loss("weighted-bce", {}, *COUNTS) == WeightedBce((30.0, 10.0), 100)
    assert build_loss("ldam", {"reweighted": True}, *COUNTS) == Ldam((30.0, 10.0), 100, reweighted=True)


def test_a_number_may_be_written_without_a_point() -> None:
    loss = build_loss("asymmetric", {"gamma_negative": 3}, *COUNTS)
    assert loss == Asymmetric(gamma_negative=3.0)
    assert isinstance(loss, Asymmetric)
    assert type(loss.gamma_negative) is float


def test_lambda_is_called_lambda() -> None:
    loss = build_loss("distribution-balanced", {"lambda": 5, "mu": 0.3}, *COUNTS)
    assert loss == DistributionBalanced((30.0, 10.0), 100, lambda_=5.0, mu=0.3)


def test_a_loss_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        build_loss("asymmetric", {}, *COUNTS).clip = 0.1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "parameters", "sentence"),
    [
        ("hinge", {}, r"loss 'hinge'"),
        ("bce", {"gamma": 2.0}, r"parameter 'gamma'"),
        ("focal", {"gama": 2.0}, r"parameter 'gama'"),
        ("ldam", {"films": 3}, r"parameter 'films'"),
        ("focal", {"gamma": "2"}, "'focal' is '2'"),
        ("focal", {"gamma": True}, "loss 'focal' is True"),
        ("focal", {"gamma": float("nan")}, "is nan"),
        ("ldam", {"reweighted": 1}, "loss 'ldam' is 1"),
        ("weighted-bce", {"weights": 1.0}, r"loss 'weighted-bce' is 1\.0"),
        ("weighted-bce", {"weights": "sqrt"}, "effective-number, inverse-frequency"),
        ("weighted-bce", {"beta": 1}, r"beta is 1"),
        ("focal", {"gamma": -1}, r"gamma is -1"),
        ("focal", {"alpha": 2}, r"alpha .* is 2"),
        ("robust-asymmetric", {"hill": 0.5}, r"hill is 0\.5"),
        ("distribution-balanced", {"lambda": 0}, r"lambda is 0"),
    ],
)
def test_what_is_wrong_is_said(
    name: str, parameters: dict[str, float | str | bool], sentence: str, wording: Wording
) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        build_loss(name, parameters, *COUNTS)
    wording(caught.value)


@pytest.mark.parametrize("name", ["weighted-bce", "distribution-balanced", "ldam"])
@pytest.mark.parametrize(
    ("positives", "sentence"),
    [
        ((30, 0), "0 of 100 films"),
        ((101, 10), "101 of 100 films"),
        ((30, float("nan")), "nan of 100 films"),
        ((), "number of positive films"),
    ],
)
def test_counts_that_give_no_weight_are_refused(
    name: str, positives: tuple[float, ...], sentence: str, wording: Wording
) -> None:
    with pytest.raises(ValueError, match=sentence) as caught:
        build_loss(name, {}, positives, 100)
    wording(caught.value)


def test_a_loss_without_counts_does_not_mind_them() -> None:
    assert build_loss("bce", {}, (30, 0), 100) == Bce()
