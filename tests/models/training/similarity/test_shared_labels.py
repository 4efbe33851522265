"""The similarity loss of films that share findings, on four unit vectors by hand."""

from __future__ import annotations

import math

import pytest
import torch

from models.training.similarity.registry import build_similarity
from models.training.similarity.shared_labels import SharedLabels

ROOT = math.sqrt(0.5)
FOUR = torch.tensor([[1.0, 0.0], [ROOT, ROOT], [0.0, 1.0], [-1.0, 0.0]])  # at 0, 45, 90 and 180 degrees


def test_four_films_by_hand() -> None:
    """Cosines: 0-1 r, 0-2 0, 0-3 -1, 1-2 r, 1-3 -r, 2-3 0, with r = sqrt(1/2); temperature 1/2 doubles them."""
    r = 2 * ROOT
    labels = torch.tensor([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [float("nan"), 0.0, 0.0]])
    log_sum = math.log(math.exp(r) + 1 + math.exp(-2))  # of film 0 with films 1, 2 and 3
    both = ((log_sum - r) + (log_sum - 0)) / 2  # finding 0 with film 1, finding 1 with film 2
    second = math.log(math.exp(r) + math.exp(r) + math.exp(-r)) - r
    third = (math.log(1 + math.exp(r) + 1) - 0) / 2  # finding 1 with film 0; no other film has finding 2
    loss = SharedLabels(temperature=0.5)(FOUR, labels)
    assert loss.tolist() == pytest.approx([both, second, third, 0.0], rel=1e-6)


def test_several_films_with_a_finding_are_averaged() -> None:
    r = 2 * ROOT
    log_sum = math.log(math.exp(r) + 1 + math.exp(-2))
    loss = SharedLabels(temperature=0.5)(FOUR, torch.tensor([[1.0], [1.0], [1.0], [0.0]]))
    assert loss[0].item() == pytest.approx(log_sum - (r + 0) / 2, rel=1e-6)


@pytest.mark.parametrize("films", [1, 4])
def test_films_that_share_nothing_give_no_gradient(films: int) -> None:
    vectors = FOUR[:films].clone().requires_grad_()
    loss = SharedLabels()(vectors, torch.eye(4)[:films])
    torch.autograd.backward(loss.sum())
    assert loss.tolist() == [0.0] * films
    assert vectors.grad is not None and torch.equal(vectors.grad, torch.zeros_like(vectors))


def test_a_recipe_names_it() -> None:
    assert build_similarity("shared-labels", {"temperature": 0.2}) == SharedLabels(0.2)
    with pytest.raises(ValueError, match="above 0"):
        SharedLabels(0.0)
