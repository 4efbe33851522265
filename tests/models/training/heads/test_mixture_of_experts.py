"""The mixture by hand, and the balance loss at its two ends."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.heads.mixture_of_experts import MixtureOfExpertsHead, load_balance

MAPS = torch.tensor([[[[1.0, 3.0]], [[0.0, 4.0]]], [[[0.0, 2.0]], [[0.0, 0.0]]]])  # means (2, 2) and (1, 0)
GATE = [[0.5, 0.0], [0.0, 0.25], [-1.0, 0.0]]
EXPERTS = [[[1.0, 0.0]], [[0.0, 2.0]], [[3.0, -1.0]]]
BIASES = [[0.1], [0.2], [0.3]]


def _head(top_k: int) -> MixtureOfExpertsHead:
    head = MixtureOfExpertsHead(2, 1, 0.5, experts=3, top_k=top_k, balance=0.5).eval()
    with torch.no_grad():
        head.gate.weight.copy_(torch.tensor(GATE))
        head.experts.copy_(torch.tensor(EXPERTS))
        head.biases.copy_(torch.tensor(BIASES))
    return head


def _softmax(*numbers: float) -> list[float]:
    total = sum(map(math.exp, numbers))
    return [math.exp(number) / total for number in numbers]


def test_logits_by_hand() -> None:
    first, second = _softmax(1.0, 0.5, -2.0), _softmax(0.5, 0.0, -1.0)
    answers = (2.1, 4.2, 4.3), (1.1, 0.2, 3.3)
    expected = [sum(g * a for g, a in zip(*each, strict=True)) for each in ((first, answers[0]), (second, answers[1]))]
    assert _head(0)(MAPS).logits[:, 0].tolist() == pytest.approx(expected, rel=1e-6)
    # Both films choose expert 0 first: f = (1, 0, 0), so that the loss is 0.5 * 3 * the mean share of expert 0.
    auxiliary = float(_head(0)(MAPS).auxiliary.detach())
    assert auxiliary == pytest.approx(0.5 * 3 * (first[0] + second[0]) / 2, rel=1e-6)


def test_the_best_two_share_the_film() -> None:
    first, second = _softmax(1.0, 0.5), _softmax(0.5, 0.0)
    expected = [first[0] * 2.1 + first[1] * 4.2, second[0] * 1.1 + second[1] * 0.2]
    assert _head(2)(MAPS).logits[:, 0].tolist() == pytest.approx(expected, rel=1e-6)
    torch.testing.assert_close(_head(2)(MAPS).auxiliary, _head(0)(MAPS).auxiliary)


def test_the_balance_loss_by_hand() -> None:
    shares = torch.tensor([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.5, 0.4, 0.1], [0.2, 0.5, 0.3]])
    # First choices 0, 1, 0, 1: f = (1/2, 1/2, 0). Mean shares (1.5, 1.7, 0.8) / 4.
    assert float(load_balance(shares)) == pytest.approx(3 * (0.5 * 1.5 + 0.5 * 1.7) / 4, rel=1e-6)


def test_the_balance_loss_is_least_when_decided_shares_are_even() -> None:
    even = torch.eye(4).repeat(3, 1)
    assert float(load_balance(even)) == pytest.approx(1.0)
    assert float(load_balance(torch.eye(4)[torch.zeros(12, dtype=torch.long)])) == pytest.approx(4.0)
    generator = torch.Generator().manual_seed(1)
    for _ in range(50):
        films = torch.eye(4)[torch.randint(0, 4, (12,), generator=generator)]
        assert float(load_balance(films)) >= 1 - 1e-6


def test_an_even_gate_costs_one_whoever_is_named_first() -> None:
    assert float(load_balance(torch.full((5, 4), 0.25))) == pytest.approx(1.0)


def test_the_balance_loss_falls_below_one_where_shares_contradict_the_choices() -> None:
    # Two of three films choose expert 0 by a hair, the third is sure of expert 1: f = (2, 1) / 3, P = (1.02, 1.98) / 3.
    shares = torch.tensor([[0.51, 0.49], [0.51, 0.49], [0.0, 1.0]])
    assert float(load_balance(shares)) == pytest.approx(2 * (2 * 1.02 + 1.98) / 9, rel=1e-5)


def test_the_balance_loss_moves_the_gate_from_the_crowded_expert() -> None:
    choice = torch.tensor([[1.0, 0.0], [2.0, 0.0], [0.0, 0.5]], requires_grad=True)
    torch.autograd.backward(load_balance(torch.softmax(choice, 1)))
    assert choice.grad is not None
    assert (choice.grad[:, 0] > 0).all() and (choice.grad[:, 1] < 0).all(), "a step down lowers the crowded one"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"experts": 1}, "of 1 experts"),
        ({"top_k": 1}, "1 of 4 experts"),
        ({"experts": 3, "top_k": 4}, "4 of 3 experts"),
        ({"top_k": -1}, "0 for all"),
        ({"balance": -0.1}, "balance loss is -0.1"),
    ],
)
def test_what_is_no_mixture_is_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MixtureOfExpertsHead(2, 1, 0.0, **arguments)
