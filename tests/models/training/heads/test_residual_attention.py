"""CSRA against the paper's formula, worked by hand for two places and two findings."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.heads.linear import LinearHead
from models.training.heads.residual_attention import ResidualAttentionHead

WEIGHTS = [[1.0, 0.0], [0.5, -1.0]]
BIAS = [0.25, -0.5]
MAPS = torch.tensor([[[[1.0, 3.0]], [[0.0, 4.0]]]])  # places (1, 0) and (3, 4)
SCORES = [(1.0, 3.0), (0.5, -2.5)]  # of the two findings at the two places


def _head(weight: float, temperature: float = 1.0, *, normalize: bool = False) -> ResidualAttentionHead:
    head = ResidualAttentionHead(2, 2, 0.5, weight=weight, temperature=temperature, normalize=normalize).eval()
    with torch.no_grad():
        head.classifiers.copy_(torch.tensor([WEIGHTS]))
        head.bias.copy_(torch.tensor(BIAS))
    return head


def _attended(scores: tuple[float, float], temperature: float) -> float:
    first, second = (math.exp(temperature * score) for score in scores)
    return (first * scores[0] + second * scores[1]) / (first + second)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_logits_by_hand(temperature: float) -> None:
    expected = [
        bias + sum(scores) / 2 + 0.3 * _attended(scores, temperature) for scores, bias in zip(SCORES, BIAS, strict=True)
    ]
    assert _head(0.3, temperature)(MAPS).logits[0].tolist() == pytest.approx(expected, rel=1e-6)


def test_one_logit_in_plain_numbers() -> None:
    # Scores 1 and 3: mean 2; softmax 1 / (1 + e^2) = .119203 and .880797, so that attention gives 2.761594.
    assert float(_head(0.5)(MAPS).logits[0, 0].detach()) == pytest.approx(0.25 + 2 + 0.5 * 2.761594, rel=1e-6)


def test_an_infinite_temperature_takes_the_largest_score() -> None:
    assert _head(0.5, math.inf)(MAPS).logits[0].tolist() == [0.25 + 2 + 1.5, -0.5 - 1 + 0.25]
    torch.testing.assert_close(_head(0.5, 1e4)(MAPS).logits, _head(0.5, math.inf)(MAPS).logits)


def test_weight_zero_is_the_linear_head() -> None:
    linear = LinearHead(2, 2, 0.0)
    with torch.no_grad():
        linear.classifier.weight.copy_(torch.tensor(WEIGHTS))
        linear.classifier.bias.copy_(torch.tensor(BIAS))
    torch.testing.assert_close(_head(0.0)(MAPS).logits, linear(MAPS).logits)


def test_heads_are_added_each_with_its_temperature() -> None:
    head = ResidualAttentionHead(2, 2, 0.0, weight=0.3, heads=2).eval()
    factors = (1.0, 2.0)  # the second head's weights are twice the first's, and so are its scores
    with torch.no_grad():
        head.classifiers.copy_(torch.tensor([WEIGHTS]) * torch.tensor(factors)[:, None, None])
    assert head.temperatures == (1.0, math.inf)
    expected = [sum(s) / 2 * 3 + 0.3 * (_attended(s, 1.0) + 2 * max(s)) for s in SCORES]
    assert head(MAPS).logits[0].tolist() == pytest.approx(expected, rel=1e-6)


def test_normalized_weights_have_length_one() -> None:
    length = math.hypot(0.5, 1.0)
    scores = (SCORES[1][0] / length, SCORES[1][1] / length)
    expected = -0.5 + sum(scores) / 2 + 0.3 * _attended(scores, 1.0)
    assert float(_head(0.3, normalize=True)(MAPS).logits[0, 1].detach()) == pytest.approx(expected, rel=1e-6)


def test_dropout_takes_whole_channels_as_the_linear_heads_does() -> None:
    head = _head(0.0).train()
    torch.manual_seed(1)
    seen = {float(head(MAPS).logits[0, 0].detach()) for _ in range(20)}
    assert seen == {0.25, 0.25 + 2 * 2.0}, "the first channel is lost in all places, or doubled in all"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"heads": 3}, "no temperatures for 3 heads"),
        ({"heads": 2, "temperature": 2.0}, "omit `temperature`"),
        ({"temperature": 0.0}, "temperature is 0.0"),
        ({"temperature": math.nan}, "temperature is nan"),
        ({"weight": -0.1}, "weight is -0.1"),
        ({"weight": math.inf}, "finite"),
    ],
)
def test_what_the_paper_does_not_know_is_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ResidualAttentionHead(2, 2, 0.0, **arguments)  # type: ignore[arg-type]
