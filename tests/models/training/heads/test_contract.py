"""What every head owes the trainer: shapes, gradients, seeds, no sense of place, a start at the prevalence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import torch
from torch import Tensor

from models.training.heads.head import Head
from models.training.heads.registry import HEAD_TYPES, Parameter, build_head
from tests.support.wording import Wording

CHANNELS, FINDINGS = 12, 5
SMALL_DECODER: dict[str, Parameter] = {"width": 16, "hidden": 24, "attention_heads": 4}
VARIANTS: list[tuple[str, Mapping[str, Parameter]]] = [
    ("linear", {}),
    ("ml-decoder", SMALL_DECODER),
    ("ml-decoder", SMALL_DECODER | {"learned_queries": True}),
    ("ml-decoder", SMALL_DECODER | {"queries": 4}),
    ("residual-attention", {}),
    ("residual-attention", {"temperature": float("inf")}),
    ("residual-attention", {"heads": 4, "weight": 0.5, "normalize": True}),
    ("mixture-of-experts", {}),
    ("mixture-of-experts", {"experts": 3, "top_k": 2}),
    ("pcam", {}),
    ("log-sum-exp", {}),
    ("query-decoder", SMALL_DECODER),
    ("query-decoder", SMALL_DECODER | {"text": True, "layers": 2}),
    ("query-decoder", SMALL_DECODER | {"experts": 3}),
    ("label-graph", {"hidden": 16}),
    ("three-class", {}),
    ("ml-decoder", SMALL_DECODER | {"text": True}),
    ("diverse-experts", {"width": 16}),
    ("diverse-experts", {"width": 16, "experts": 2, "sharpness": 5.0}),
]
every_head = pytest.mark.parametrize(("name", "parameters"), VARIANTS, ids=[f"{n} {dict(p)}" for n, p in VARIANTS])


def _head(name: str, parameters: Mapping[str, Parameter], seed: int = 1, dropout: float = 0.3) -> Head:
    torch.manual_seed(seed)
    return build_head(name, parameters, CHANNELS, FINDINGS, dropout)


def _maps(films: int = 6) -> Tensor:
    return torch.rand(films, CHANNELS, 3, 4, generator=torch.Generator().manual_seed(2))


def test_every_name_is_tried_here() -> None:
    """The cross-view head knows places apart, so that it has a test of its own."""
    assert {name for name, _ in VARIANTS} == set(HEAD_TYPES) - {"cross-view"}


@every_head
def test_logits_for_each_film_and_one_auxiliary_loss(name: str, parameters: Mapping[str, Parameter]) -> None:
    output, apart = _head(name, parameters)(_maps()), name == "diverse-experts"
    assert output.logits.shape == (6, FINDINGS)
    assert output.auxiliary.shape == ()
    assert (output.auxiliary > 0) == (name == "mixture-of-experts" or bool(parameters.get("experts")) and not apart)
    assert (output.auxiliary < 0) == apart == (output.parts is not None)


@every_head
def test_the_order_of_places_plays_no_part(name: str, parameters: Mapping[str, Parameter]) -> None:
    head, maps = _head(name, parameters).eval(), _maps()
    order = torch.randperm(12, generator=torch.Generator().manual_seed(3))
    moved = maps.flatten(2)[:, :, order].reshape(maps.shape)
    torch.testing.assert_close(head(moved).logits, head(maps).logits)


@every_head
def test_a_film_is_read_alike_alone_and_in_a_batch(name: str, parameters: Mapping[str, Parameter]) -> None:
    head, maps = _head(name, parameters).eval(), _maps()
    torch.testing.assert_close(head(maps[2:3]).logits, head(maps).logits[2:3])


@every_head
def test_gradients_reach_every_parameter(name: str, parameters: Mapping[str, Parameter]) -> None:
    head, maps = _head(name, parameters, dropout=0.0), _maps(32).requires_grad_()
    output = head(maps)
    doubts = 0.0 if output.doubts is None else (output.doubts**2).sum()
    torch.autograd.backward((output.logits**2).sum() + output.auxiliary + doubts)
    for each, parameter in head.named_parameters():
        assert parameter.grad is not None and parameter.grad.abs().max() > 1e-6, each
    assert maps.grad is not None and maps.grad.abs().sum() > 0


@every_head
def test_a_seed_gives_the_same_weights(name: str, parameters: Mapping[str, Parameter]) -> None:
    first, again, other = (_head(name, parameters, seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[key], again[key]) for key in first)
    assert any(not torch.equal(first[key], other[key]) for key in first)


@every_head
def test_a_head_starts_at_the_prevalence(name: str, parameters: Mapping[str, Parameter]) -> None:
    head = _head(name, parameters).train()
    prevalence = np.array([0.3, 0.001, 0.02, 0.9], np.float32)
    head.start_at(prevalence)
    assert head.training, "left in the mode in which it was"
    head.eval()
    at_zero = torch.sigmoid(head(torch.zeros(2, CHANNELS, 3, 4)).logits).mean(0)
    expected = torch.tensor([0.3, 0.005, 0.02, 0.5, 0.5])  # clamped to 0.005-0.5; the fifth output is no finding
    torch.testing.assert_close(at_zero, expected, rtol=1e-5, atol=1e-6)


@every_head
def test_a_start_leaves_a_tenth_of_what_films_differ_in(name: str, parameters: Mapping[str, Parameter]) -> None:
    head, wild = _head(name, parameters).eval(), _head(name, parameters).eval()
    head.start_at(np.full(FINDINGS, 0.1, np.float32))
    with torch.no_grad():
        spread, before = (float(each(_maps()).logits.std(0).max()) for each in (head, wild))
    if parameters.get("normalize"):
        assert spread == pytest.approx(before, rel=1e-3), "normalized weights cannot be made small"
    elif name == "log-sum-exp" or parameters.get("sharpness"):
        assert spread < 0.2 * before, "small scores are pooled more like a mean"
    else:
        assert spread == pytest.approx(0.1 * before, rel=0.1)


@pytest.mark.parametrize("prevalence", [[0.1] * (FINDINGS + 1), [0.1, float("nan")]], ids=["too many", "unknown"])
def test_a_prevalence_that_does_not_fit_is_refused(prevalence: list[float], wording: Wording) -> None:
    head = _head("linear", {})
    before = head.last_biases().clone()
    with pytest.raises(ValueError) as caught:
        head.start_at(np.array(prevalence, np.float32))
    wording(caught.value, "labeled")
    assert torch.equal(head.last_biases(), before)


@every_head
def test_dropout_acts_in_training_alone(name: str, parameters: Mapping[str, Parameter]) -> None:
    head, maps = _head(name, parameters), _maps()
    torch.manual_seed(4)
    assert not torch.equal(head.train()(maps).logits, head(maps).logits)
    assert torch.equal(head.eval()(maps).logits, head(maps).logits)
