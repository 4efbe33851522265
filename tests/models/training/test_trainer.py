"""Training of any recipe on a few small films: it learns, it is the same every time, and goes on where it was ended."""

from __future__ import annotations

import functools
import signal
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.training.label_loss import mask_unknown
from models.training.losses.registry import LOSS_TYPES, build_loss
from models.training.network import LINEAR_HEAD, HeadedNetwork, NetworkWithProjection, new_network, restart_head
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.similarity.equal_labels import label_classes
from models.training.start import imagenet_state
from models.training.trainer import fit_network
from tests.support.few_films import SIZE, few_films
from tests.support.forked_app import program
from tests.support.wording import Wording

pytestmark = pytest.mark.training
FILMS = few_films(16, 3)
ROWS = np.arange(len(FILMS))
SHORT = TrainingRecipe(size=SIZE, epochs=2, batch=8, loss=RecipePart("bce"))


class Ended(Exception):
    """As if the process had ended here."""


def network(recipe: TrainingRecipe = SHORT, head: RecipePart = LINEAR_HEAD, seed: int = 0) -> nn.Module:
    torch.manual_seed(seed)
    return new_network(recipe, head, FILMS.labels.mean(0), FILMS.traits.shape[1], imagenet_state())


def weights(model: nn.Module) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def same(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def train(
    recipe: TrainingRecipe = SHORT, head: RecipePart = LINEAR_HEAD, kept: Path | None = None, until: int | None = None
) -> nn.Module:
    def after(epoch: int, average: nn.Module, loss: float) -> None:
        assert np.isfinite(loss)
        if epoch == until:
            raise Ended

    return fit_network(network(recipe, head), FILMS, ROWS, recipe, 0, after, checkpoint=kept)


@functools.cache
def whole() -> dict[str, Tensor]:
    """What a run comes to that nothing broke off."""
    return weights(train())


@pytest.mark.processor
@pytest.mark.parametrize("until", [1, 2])
def test_a_run_that_was_ended_comes_to_the_same_weights(tmp_path: Path, until: int) -> None:
    with pytest.raises(Ended):
        train(kept=tmp_path / "kept.pt", until=until)
    torch.manual_seed(99)  # whatever the new process did before
    assert same(weights(train(kept=tmp_path / "kept.pt")), whole())


RUN = """
import sys
from pathlib import Path
from tests.models.training.test_trainer import train
train(kept=Path(sys.argv[1]) / "kept.pt")
Path(sys.argv[1], "final").touch()
"""


def test_killed_in_an_epoch_it_comes_to_the_same_weights(tmp_path: Path) -> None:
    first = program(RUN, [str(tmp_path)], tmp_path / "said")
    deadline = time.monotonic() + 120
    while not (tmp_path / "kept.pt").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    first.kill()
    assert first.wait(60) == -signal.SIGKILL and not (tmp_path / "final").exists(), (tmp_path / "said").read_text()
    # What goes on here is another process than the one that was killed, as good as a third.
    assert same(weights(train(kept=tmp_path / "kept.pt")), whole())


def test_the_head_alone_is_trained_where_the_recipe_says_so() -> None:
    recipe = TrainingRecipe(size=SIZE, epochs=1, batch=8, loss=RecipePart("bce"), trains="head", sampler="class-aware")
    model = network(recipe)
    before = weights(model)
    torch.manual_seed(5)
    restart_head(model, FILMS.labels.mean(0))
    trained = weights(fit_network(model, FILMS, ROWS, recipe, 0, lambda *_: None))
    changed = {name for name in before if not torch.equal(before[name], trained[name])}
    assert changed == {"classifier.weight", "classifier.bias"}, "neither the backbone nor its statistics"


@pytest.mark.parametrize("head", ["ml-decoder", "residual-attention", "mixture-of-experts"])
def test_another_head_is_trained_with_its_backbone(head: str) -> None:
    model = network(head=RecipePart(head))
    assert isinstance(model, HeadedNetwork)
    before = weights(model)
    recipe = TrainingRecipe(size=SIZE, epochs=1, batch=8, loss=RecipePart("bce"))
    trained = weights(fit_network(model, FILMS, ROWS, recipe, 0, lambda *_: None))
    changed = {name.split(".")[0] for name in before if not torch.equal(before[name], trained[name])}
    assert changed == {"body", "head"}


@pytest.mark.processor
def test_likeness_draws_films_of_one_class_together() -> None:
    labels = FILMS.labels.copy()
    labels[:, 1:] = np.nan  # classes by the first finding alone
    told = replace(FILMS, labels=labels)
    assert len(set(label_classes(torch.from_numpy(labels)).tolist())) == 2

    plain = {"mixup": 0.0, "dropout": 0.0, "drop_path": 0.0, "trait_weight": 0.0}
    recipe = replace(SHORT, epochs=10, learning_rate=1e-3, contrastive_weight=10.0, **plain)
    torch.manual_seed(0)
    model = new_network(recipe, LINEAR_HEAD, told.prevalence(ROWS), 3, imagenet_state())
    assert isinstance(model, NetworkWithProjection)
    losses: list[float] = []
    fit_network(model, told, ROWS, recipe, 0, lambda epoch, average, loss: losses.append(loss))
    assert losses[0] - losses[-1] > 2 * np.log(2), "more than all that the labels' own loss, log 2 at first, could lose"


def test_likeness_has_no_place_where_films_are_mixed_or_masks_are_learned(wording: Wording) -> None:
    recipe = replace(SHORT, contrastive_weight=1.0)
    with pytest.raises(ValueError) as caught:
        fit_network(network(recipe), FILMS, ROWS, recipe, 0, lambda *_: None)
    wording(caught.value, "mixed")
    with pytest.raises(ValueError, match="masks or similarity"):
        network(replace(recipe, mask_weight=1.0))
    with pytest.raises(ValueError) as caught:
        network(recipe, RecipePart("ml-decoder"))
    wording(caught.value, "masks")


@pytest.mark.processor
def test_it_learns() -> None:
    """By the mean of the last four epochs: one epoch of two batches jumps by a tenth from processor to processor."""
    losses: list[float] = []
    plain = {"mixup": 0.0, "dropout": 0.0, "drop_path": 0.0}
    recipe = TrainingRecipe(size=SIZE, epochs=16, batch=8, loss=RecipePart("bce"), learning_rate=2e-3, **plain)
    fit_network(network(recipe), FILMS, ROWS, recipe, 0, lambda epoch, average, loss: losses.append(loss))
    assert np.mean(losses[-4:]) < 0.85 * losses[0]


@pytest.mark.parametrize("loss", LOSS_TYPES)
def test_unknown_labels_say_nothing_to_any_loss(loss: str) -> None:
    chosen = build_loss(loss, {}, FILMS.labels.sum(0).tolist(), len(FILMS))
    labels = torch.from_numpy(FILMS.labels.copy())
    labels[3, 1] = float("nan")
    logits = torch.randn(labels.shape, generator=torch.Generator().manual_seed(0)).requires_grad_()
    chosen(*mask_unknown(logits, labels)).sum().backward()
    assert logits.grad is not None and logits.grad[3, 1] == 0 and logits.grad[3, 0] != 0
    if loss in ("bce", "focal"):  # a sum over findings: the row is worth what its known ones are
        alone = chosen(logits[3:4, [0, 2]], labels[3:4, [0, 2]])
        assert chosen(*mask_unknown(logits[3:4], labels[3:4])).item() == pytest.approx(alone.item(), abs=1e-6)


def test_an_unknown_loss_is_refused(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        train(TrainingRecipe(size=SIZE, epochs=1, batch=8, loss=RecipePart("zero-one")))
    wording(caught.value, "'zero-one'")
