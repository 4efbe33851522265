"""The supervised contrastive loss on four unit vectors by hand, and the projection's sphere."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.heads.projection import ContrastiveProjection, supervised_contrastive

ROOT = math.sqrt(0.5)
FOUR = torch.tensor([[1.0, 0.0], [ROOT, ROOT], [0.0, 1.0], [-1.0, 0.0]])  # at 0, 45, 90 and 180 degrees


def test_four_unit_vectors_by_hand() -> None:
    """Cosines: 0-1 r, 0-2 0, 0-3 -1, 1-2 r, 1-3 -r, 2-3 0, with r = sqrt(1/2); temperature 1/2 doubles them."""
    r = 2 * ROOT
    first = math.log(math.exp(r) + 1 + math.exp(-2)) - r
    second = math.log(2 * math.exp(r) + math.exp(-r)) - r
    third = math.log(1 + math.exp(r) + 1) - 0  # partner 3, at a right angle
    fourth = math.log(math.exp(-2) + math.exp(-r) + 1) - 0
    loss = supervised_contrastive(FOUR, torch.tensor([7, 7, 2, 2]), 0.5)
    assert loss.tolist() == pytest.approx([first, second, third, fourth], rel=1e-6)


def test_the_mean_over_partners_stands_outside_the_logarithm() -> None:
    r = 2 * ROOT
    among = [math.exp(r), 1.0, math.exp(-2)]  # of film 0 with films 1, 2 and 3
    expected = -(math.log(among[0] / sum(among)) + math.log(among[1] / sum(among))) / 2
    loss = supervised_contrastive(FOUR, torch.tensor([1, 1, 1, 0]), 0.5)
    assert float(loss[0]) == pytest.approx(expected, rel=1e-6)
    assert float(loss[3]) == 0, "no other film of its class"


@pytest.mark.parametrize("films", [1, 4])
def test_films_without_a_partner_get_zero_and_no_gradient_that_is_not_a_number(films: int) -> None:
    features = FOUR[:films].clone().requires_grad_()
    loss = supervised_contrastive(features, torch.arange(films), 0.1)
    torch.autograd.backward(loss.sum())
    assert loss.tolist() == [0.0] * films
    assert features.grad is not None and torch.equal(features.grad, torch.zeros_like(features))


def test_a_small_temperature_does_not_overflow() -> None:
    features = FOUR.clone().requires_grad_()
    loss = supervised_contrastive(features, torch.tensor([0, 1, 1, 0]), 0.001)
    torch.autograd.backward(loss.sum())
    assert features.grad is not None and loss.isfinite().all() and features.grad.isfinite().all()


def test_classes_that_lie_together_cost_less() -> None:
    together = torch.tensor([[1.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]])
    near = supervised_contrastive(together, torch.tensor([0, 0, 1, 1]), 0.1).sum()
    far = supervised_contrastive(together, torch.tensor([0, 1, 0, 1]), 0.1).sum()
    assert float(near) < 1e-6 < float(far)


def test_the_order_of_films_plays_no_part() -> None:
    classes, order = torch.tensor([0, 1, 1, 0]), torch.tensor([2, 0, 3, 1])
    moved = supervised_contrastive(FOUR[order], classes[order], 0.2)
    torch.testing.assert_close(moved, supervised_contrastive(FOUR, classes, 0.2)[order])


def test_the_projection_by_hand() -> None:
    projection = ContrastiveProjection(2, 2, 2)
    with torch.no_grad():
        projection.hidden.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, -1.0]]))
        projection.hidden.bias.copy_(torch.tensor([1.0, 0.0]))
        projection.last.weight.copy_(torch.tensor([[1.0, 5.0], [0.0, 5.0]]))
        projection.last.bias.copy_(torch.tensor([0.0, 4.0]))
    maps = torch.tensor([[[[1.0, 3.0]], [[0.0, 4.0]]]])  # means 2, 2; hidden 3, 0; last 3, 4; length 5
    assert projection(maps)[0].tolist() == pytest.approx([0.6, 0.8])


def test_the_projection_lies_on_the_sphere_and_learns() -> None:
    torch.manual_seed(1)
    projection = ContrastiveProjection(8, 4)
    maps = torch.rand(6, 8, 2, 2)
    features = projection(maps)
    torch.testing.assert_close(features.norm(dim=1), torch.ones(6))
    torch.autograd.backward(supervised_contrastive(features, torch.tensor([0, 0, 0, 1, 1, 1]), 0.1).mean())
    for name, parameter in projection.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().max() > 1e-6, name


def test_what_has_no_loss_is_refused() -> None:
    with pytest.raises(ValueError, match="must be above 0"):
        supervised_contrastive(FOUR, torch.zeros(4), 0.0)
    with pytest.raises(ValueError, match=r"\[4, 2\].*\[3\]"):
        supervised_contrastive(FOUR, torch.zeros(3), 0.1)
