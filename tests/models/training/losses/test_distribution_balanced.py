"""Distribution-balanced loss on hand-worked numbers."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.losses.bce import Bce
from models.training.losses.distribution_balanced import DistributionBalanced

LOGITS, LABELS = torch.tensor([[0.5, -1.0, 2.0]]), torch.tensor([[1.0, 1.0, 0.0]])
POSITIVES, FILMS = (50.0, 20.0, 10.0), 100
PLAIN = {"alpha": 0.5, "beta": 0.0, "kappa": 0.0, "lambda_": 1.0}  # a weight of .5 + sigmoid(0) = 1, nothing shifted


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def weights() -> list[float]:
    # Section 3.1. Class-aware sampling draws the film for a finding i it has in proportion to 1 / n_i, so for any of
    # its two findings in proportion to 1/50 + 1/20 = .07. The third finding is balanced by the same rule.
    ratios = [(1 / 50) / 0.07, (1 / 20) / 0.07, (1 / 10) / 0.07]  # 2/7, 5/7, 10/7
    assert ratios == pytest.approx([2 / 7, 5 / 7, 10 / 7])
    return [0.1 + sigmoid(10 * (ratio - 0.2)) for ratio in ratios]


def shifted() -> list[float]:
    # Section 3.2: nu = -kappa b, b = -log(1/p - 1), with prevalences p of 1/2, 1/5 and 1/10
    nu = [0.05 * math.log(1), 0.05 * math.log(4), 0.05 * math.log(9)]
    return [0.5 - nu[0], -1.0 - nu[1], 2.0 - nu[2]]


def test_a_film_by_hand() -> None:
    w, z = weights(), shifted()
    first = w[0] * math.log(1 + math.exp(-z[0]))
    second = w[1] * math.log(1 + math.exp(-z[1]))
    third = w[2] * math.log(1 + math.exp(2 * z[2])) / 2  # lambda 2
    loss = DistributionBalanced(POSITIVES, FILMS)(LOGITS, LABELS)
    assert loss.tolist() == pytest.approx([first + second + third], rel=1e-6)


def test_focused_by_hand() -> None:
    w, z = weights(), shifted()
    # As the authors' code: the focusing factor is of the logits as shifted and scaled.
    first = w[0] * (1 - sigmoid(z[0])) ** 2 * math.log(1 + math.exp(-z[0]))
    second = w[1] * (1 - sigmoid(z[1])) ** 2 * math.log(1 + math.exp(-z[1]))
    third = w[2] * sigmoid(2 * z[2]) ** 2 * math.log(1 + math.exp(2 * z[2])) / 2
    loss = DistributionBalanced(POSITIVES, FILMS, gamma=2)(LOGITS, LABELS)
    assert loss.tolist() == pytest.approx([first + second + third], rel=1e-6)


def test_effective_number_and_margin_by_hand() -> None:
    # beta 1/2 with 1, 2 and 4 films: class_weights' 15/11, 10/11 and 8/11; prevalences 1/10, 1/5 and 2/5
    ratios = [1 / 1.5, 0.5 / 1.5, 0.25 / 1.5]
    w = [0.1 + sigmoid(10 * (ratio - 0.2)) for ratio in ratios]
    nu = [0.05 * math.log(9), 0.05 * math.log(4), 0.05 * math.log(1.5)]
    first = 15 / 11 * w[0] * math.log(1 + math.exp(-(0.5 - nu[0] - 0.3)))  # the margin lowers a positive's logit
    second = 10 / 11 * w[1] * math.log(1 + math.exp(-(-1.0 - nu[1] - 0.3)))
    third = w[2] * math.log(1 + math.exp(2 * (2.0 - nu[2]))) / 2  # neither reaches a negative
    loss = DistributionBalanced((1.0, 2.0, 4.0), 10, effective_beta=0.5, margin=0.3)(LOGITS, LABELS)
    assert loss.tolist() == pytest.approx([first + second + third], rel=1e-6)


def test_with_flat_weights_and_no_regularization_it_is_binary_cross_entropy() -> None:
    torch.testing.assert_close(DistributionBalanced(POSITIVES, FILMS, **PLAIN)(LOGITS, LABELS), Bce()(LOGITS, LABELS))


def test_findings_on_half_of_the_films_each_are_neither_weighed_nor_shifted() -> None:
    # One finding on the film: r is 1 for all of equal frequency. On half of the films log odds are 0: nothing is moved.
    labels = torch.tensor([[1.0, 0.0, 0.0]])
    loss = DistributionBalanced((50.0, 50.0, 50.0), 100, lambda_=1)(LOGITS, labels)
    torch.testing.assert_close(loss, (0.1 + sigmoid(10 * 0.8)) * Bce()(LOGITS, labels))


def test_a_film_without_a_finding_has_the_largest_weight() -> None:
    labels = torch.zeros(1, 3)
    loss = DistributionBalanced(POSITIVES, FILMS, kappa=0, lambda_=1)(LOGITS, labels)
    torch.testing.assert_close(loss, 1.1 * Bce()(LOGITS, labels))


def test_negatives_are_flatter_the_larger_lambda() -> None:
    easy = torch.full((1, 3), -3.0, requires_grad=True)
    slopes = []
    for lambda_ in (1.0, 2.0, 5.0):
        loss = DistributionBalanced(POSITIVES, FILMS, lambda_=lambda_)(easy, torch.zeros(1, 3))
        slopes.append(torch.autograd.grad(loss.sum(), easy)[0].sum().item())
    assert slopes == sorted(slopes, reverse=True)


def test_a_finding_on_every_film_is_refused() -> None:
    with pytest.raises(ValueError, match="on all 100 films"):
        DistributionBalanced((100.0, 20.0), 100)
