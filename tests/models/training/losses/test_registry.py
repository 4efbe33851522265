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
        ("hinge", {}, "There is no loss 'hinge'. Choose one of bce, weighted-bce, focal,"),
        ("bce", {"gamma": 2.0}, "The loss 'bce' has no parameter 'gamma'. Remove it: this loss has none."),
        ("focal", {"gama": 2.0}, "The loss 'focal' has no parameter 'gama'. Choose among gamma, alpha."),
        ("ldam", {"films": 3}, "The loss 'ldam' has no parameter 'films'. Choose among margin,"),
        ("focal", {"gamma": "2"}, "The parameter 'gamma' of the loss 'focal' is '2'. Give a finite number."),
        ("focal", {"gamma": True}, "The parameter 'gamma' of the loss 'focal' is True. Give a finite number."),
        ("focal", {"gamma": float("nan")}, "The parameter 'gamma' of the loss 'focal' is nan. Give a finite number."),
        ("ldam", {"reweighted": 1}, "The parameter 'reweighted' of the loss 'ldam' is 1. Give true or false."),
        ("weighted-bce", {"weights": 1.0}, "The parameter 'weights' of the loss 'weighted-bce' is 1.0. Give a word."),
        ("weighted-bce", {"weights": "sqrt"}, "weights is 'sqrt'. Choose one of effective-number, inverse-frequency."),
        ("weighted-bce", {"beta": 1}, "beta is 1. Choose a finite number of at least 0 and at most 0.999999."),
        ("focal", {"gamma": -1}, "gamma is -1. Choose a finite number of at least 0."),
        ("focal", {"alpha": 2}, "alpha .* is 2. Choose a finite number of at least 0 and at most 1."),
        ("robust-asymmetric", {"hill": 0.5}, "hill is 0.5. Choose a finite number of at least 1."),
        ("distribution-balanced", {"lambda": 0}, "lambda is 0. Choose a finite number of at least 0.001."),
    ],
)
def test_what_is_wrong_is_said(name: str, parameters: dict[str, float | str | bool], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        build_loss(name, parameters, *COUNTS)


@pytest.mark.parametrize("name", ["weighted-bce", "distribution-balanced", "ldam"])
@pytest.mark.parametrize(
    ("positives", "sentence"),
    [
        ((30, 0), "The finding in column 1 is on 0 of 100 films. Leave it out of training"),
        ((101, 10), "The finding in column 0 is on 101 of 100 films."),
        ((30, float("nan")), "The finding in column 1 is on nan of 100 films."),
        ((), "There is no finding. Give the number of positive films of each."),
    ],
)
def test_counts_that_give_no_weight_are_refused(name: str, positives: tuple[float, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        build_loss(name, {}, positives, 100)


def test_a_loss_without_counts_does_not_mind_them() -> None:
    assert build_loss("bce", {}, (30, 0), 100) == Bce()
