"""What all losses promise: a number for each film, finite everywhere, with a slope that goes the right way."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from models.training.losses.registry import LOSS_TYPES, Loss, build_loss

POSITIVES, FILMS = (60.0, 9.0, 1.0), 200
OTHERS: dict[str, list[dict[str, float | str | bool | tuple[float, ...]]]] = {
    "weighted-bce": [{"weights": "inverse-frequency", "positives_only": True}],
    "result-weighted": [{"weights": (0.5, 2.0, 0.5)}],
    "focal": [{"gamma": 0.5}],
    "asymmetric": [{"gamma_positive": 1, "clip": 0}],
    "robust-asymmetric": [{"gamma_positive": 0.5, "clip": 0}],
    "distribution-balanced": [{"gamma": 2, "effective_beta": 0.999, "margin": 1}, {"gamma": 0.5, "lambda": 5}],
    "ldam": [{"reweighted": True}],
}
CASES = [(name, more) for name in LOSS_TYPES for more in [{}, *OTHERS.get(name, [])]]
each_loss = pytest.mark.parametrize(("name", "parameters"), CASES)


def films() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(5)
    labels = (torch.rand(12, 3, generator=generator) < 0.4).float()
    labels[0] = 0  # a film without a finding
    labels[1] = 1
    return torch.randn(12, 3, generator=generator) * 3, labels


def slope(loss: Loss, logits: Tensor, labels: Tensor) -> Tensor:
    leaf = logits.clone().requires_grad_()
    return torch.autograd.grad(loss(leaf, labels).sum(), leaf)[0]


@each_loss
def test_a_film_has_one_number_whoever_else_is_in_the_batch(name: str, parameters: dict[str, float]) -> None:
    loss, (logits, labels) = build_loss(name, parameters, POSITIVES, FILMS), films()
    whole = loss(logits, labels)
    assert whole.shape == (12,)
    assert whole.dtype == torch.float32
    assert (whole >= 0).all()
    torch.testing.assert_close(whole[3:4], loss(logits[3:4], labels[3:4]))


@each_loss
def test_the_slope_lowers_absent_and_raises_present_findings(name: str, parameters: dict[str, float]) -> None:
    loss, (logits, labels) = build_loss(name, parameters, POSITIVES, FILMS), films()
    slopes = slope(loss, logits, labels)
    # none where a probability is below a clip, or where LDAM's scale has rounded a right one to 1
    assert (slopes[labels == 1] <= 0).all()
    assert (slopes[labels == 0] >= 0).all()
    assert (slopes[(labels == 1) & (logits < 0)] < 0).all()
    assert (slopes[(labels == 0) & (logits > 0)] > 0).all()


@each_loss
@pytest.mark.parametrize("size", [80.0, 30.0, 17.0, 0.0])
def test_extreme_logits_give_finite_numbers_and_slopes(name: str, parameters: dict[str, float], size: float) -> None:
    loss = build_loss(name, parameters, POSITIVES, FILMS)
    logits = torch.tensor([[size, -size, size], [size, -size, size], [-size, size, 0.0]])
    labels = torch.tensor([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]])
    assert loss(logits, labels).isfinite().all()
    assert slope(loss, logits, labels).isfinite().all()


@each_loss
def test_slopes_are_those_of_differences(name: str, parameters: dict[str, float]) -> None:
    loss, (logits, labels) = build_loss(name, parameters, POSITIVES, FILMS), films()
    logits, labels = logits.double().requires_grad_(), labels.double()
    assert torch.autograd.gradcheck(lambda given: loss(given, labels), logits)


@each_loss
def test_the_probability_at_a_clip_has_a_finite_slope(name: str, parameters: dict[str, float]) -> None:
    loss = build_loss(name, parameters, POSITIVES, FILMS)
    at = torch.logit(torch.full((1, 3), 0.05, dtype=torch.float64)).float()
    assert slope(loss, at, torch.zeros(1, 3)).isfinite().all()


@each_loss
def test_logits_and_labels_are_left_as_they_are(name: str, parameters: dict[str, float]) -> None:
    logits, labels = films()
    build_loss(name, parameters, POSITIVES, FILMS)(logits, labels)
    assert all(torch.equal(ours, first) for ours, first in zip((logits, labels), films(), strict=True))
