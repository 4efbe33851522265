"""Gradients of several batches, fewer bits, and batches made ahead: each by numbers, on a processor and a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.training import trainer
from models.training.network import LINEAR_HEAD, new_network, predict
from models.training.precision import GradientSteps, Precision, precision_of
from models.training.prefetch import prefetched
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.trainer import fit_network
from tests.support.few_films import SIZE, few_films

FILMS = few_films(16, 3)
ROWS = np.arange(16)
RECIPE = TrainingRecipe(size=SIZE, epochs=2, batch=4, loss=RecipePart("bce"), start="none")
needs_cuda = [
    pytest.mark.cuda,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device here"),
]


def train(
    recipe: TrainingRecipe, device: str = "cpu", precision: Precision | None = None
) -> tuple[nn.Module, list[float]]:
    torch.manual_seed(0)
    network = new_network(recipe, LINEAR_HEAD, FILMS.labels.mean(0), 3, {}).to(device)
    losses: list[float] = []
    trained = fit_network(network, FILMS, ROWS, recipe, 0, lambda _, __, loss: losses.append(loss), precision=precision)
    return trained, losses


def test_gradients_of_batches_add_up_to_one_step() -> None:
    weight = nn.Parameter(torch.tensor([1.0]))
    steps = GradientSteps(torch.optim.SGD([weight], lr=0.1), torch.device("cpu"), Precision())
    steps.add(2 * weight.sum() / 2)
    steps.add(4 * weight.sum() / 2)
    steps.step([weight], 100.0)
    assert weight.item() == pytest.approx(1 - 0.1 * 3) and weight.grad is None
    steps.add(50 * weight.sum())
    steps.step([weight], 5.0)
    assert weight.item() == pytest.approx(0.7 - 0.1 * 5), "clipped"


@pytest.mark.training
@pytest.mark.parametrize(("accumulate", "steps"), [(1, 8), (2, 4), (3, 4), (9, 2)])
def test_a_step_follows_as_many_batches_as_the_recipe_says(
    accumulate: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two epochs of four batches; what is left at the end of an epoch makes a step of its own."""
    taken = []
    step = GradientSteps.step

    def counted(self: GradientSteps, parameters: Iterator[nn.Parameter], max_norm: float) -> None:
        taken.append(1)
        step(self, parameters, max_norm)

    monkeypatch.setattr(trainer.GradientSteps, "step", counted)
    train(replace(RECIPE, accumulate=accumulate))
    assert len(taken) == steps


def test_items_made_ahead_keep_their_order_and_their_exceptions() -> None:
    def made() -> Iterator[int]:
        yield from range(5)
        raise ValueError("the sixth")

    found = []
    with pytest.raises(ValueError, match="the sixth"):
        for each in prefetched(made()):
            found.append(each)  # noqa: PERF402
    assert found == [0, 1, 2, 3, 4] and list(prefetched(iter([]))) == []


@pytest.mark.training
def test_a_processor_trains_with_fewer_bits_where_it_is_told_to() -> None:
    full, few = train(RECIPE), train(RECIPE, precision=Precision(torch.bfloat16))
    assert few[1] == pytest.approx(full[1], rel=0.1) and precision_of("cpu").dtype is None
    assert {each.dtype for each in few[0].parameters()} == {torch.float32}


def seen(device: str, monkeypatch: pytest.MonkeyPatch) -> list[Tensor]:
    """The films that a training shows its network, in order."""
    shown: list[Tensor] = []
    changed = trainer._Run._changed

    def noted(self: trainer._Run, rows: np.ndarray) -> trainer._Batch:  # type: ignore[type-arg]
        batch = changed(self, rows)
        shown.append(batch.inputs.clone())
        return batch

    with monkeypatch.context() as patch:
        patch.setattr(trainer._Run, "_changed", noted)
        train(replace(RECIPE, mixup=0.0, dropout=0.0, drop_path=0.0), device)
    return shown


@pytest.mark.training
def test_batches_made_ahead_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = seen("cpu", monkeypatch)
    monkeypatch.setattr(trainer._Run, "_is_cuda", property(lambda self: True))
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda device: None)
    assert len(plain) == 8 and all(map(torch.equal, plain, seen("cpu", monkeypatch)))


@pytest.mark.training
@pytest.mark.parametrize("device", [pytest.param("cuda", marks=needs_cuda)])
def test_a_gpu_sees_the_films_of_the_processor_in_the_same_order(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = seen(device, monkeypatch), seen("cpu", monkeypatch)
    assert len(ours) == len(theirs) and all(torch.equal(*pair) for pair in zip(ours, theirs, strict=True))


@pytest.mark.training
@pytest.mark.parametrize("device", [pytest.param("cuda", marks=needs_cuda)])
def test_a_gpu_learns_like_the_processor(device: str) -> None:
    recipe = replace(RECIPE, epochs=4, mixup=0.0, dropout=0.0, drop_path=0.0)
    (ours, lost), (theirs, expected) = train(recipe, device, precision_of(device)), train(recipe)
    assert next(ours.parameters()).device.type == "cuda" and lost == pytest.approx(expected, rel=0.1)
    pixels = FILMS.pixels[:, 4:-4, 4:-4]
    assert np.abs(predict(ours, pixels, 3) - predict(theirs, pixels, 3)).max() < 0.5
    copied = predict(ours.to("cpu"), pixels, 3)
    np.testing.assert_allclose(predict(ours.to("cuda"), pixels, 3), copied, atol=0.01)
