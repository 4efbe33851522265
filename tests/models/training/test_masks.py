"""Masks beside labels: they are moved as their films are, and a second head learns from them where findings lie."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from models.training.augment import apply_moves, augment
from models.training.films import FindingMasks, TrainingFilms
from models.training.network import LINEAR_HEAD, NetworkWithMasks, network_outputs, new_network
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.start import imagenet_state
from models.training.trainer import fit_network
from tests.support.few_films import SIZE, few_films
from tests.support.wording import Wording

CELLS = 16
FINDINGS = 3
WITH_MASKS = TrainingRecipe(size=SIZE, epochs=8, batch=8, loss=RecipePart("bce"), mixup=0.0, mask_weight=5.0)


def films_with_masks() -> TrainingFilms:
    """Each finding lies in the band that it brightens; the last has no place."""
    films = few_films(24, FINDINGS)
    film, finding = np.nonzero(films.labels[:, : FINDINGS - 1])
    shares = np.zeros((len(film), CELLS, CELLS), dtype=np.uint8)
    for row, column in enumerate(finding):
        shares[row, CELLS * column // FINDINGS : CELLS * (column + 1) // FINDINGS] = 255
    return replace(films, masks=FindingMasks(film, finding, shares, np.array([True, True, False])))


def test_masks_are_of_the_films_that_were_asked_for() -> None:
    shares = np.arange(3, dtype=np.uint8)[:, None, None] * np.ones((1, 2, 2), dtype=np.uint8) * 51
    masks = FindingMasks(np.array([0, 2, 2]), np.array([1, 0, 1]), shares, np.array([True, True]))
    found = masks.of(np.array([2, 1, 0, 2]))
    assert found.shape == (4, 2, 2, 2)
    assert found[:, :, 0, 0] == pytest.approx(np.array([[0.2, 0.4], [0, 0], [0, 0], [0.2, 0.4]]))


def test_a_mask_stays_on_what_it_covers() -> None:
    generator = torch.Generator().manual_seed(0)
    films = torch.zeros(64, 1, 96, 96)
    films[:, :, 36:60, 12:36] = 1
    changed, moves = augment(films, torch.zeros(64, dtype=torch.bool), 96, generator)
    covered = apply_moves(torch.nn.functional.avg_pool2d(films, 6), moves, 96)
    bright = changed - changed.flatten(1).median(1).values[:, None, None, None] > 0.3
    both = (bright & (covered > 0.5)).sum((1, 2, 3)) / (covered > 0.5).sum((1, 2, 3)).clamp_min(1)
    assert (both > 0.8).float().mean() > 0.85, "but where a patch hides it"


@pytest.mark.training
def test_the_second_head_leaves_the_classifier_as_it_is() -> None:
    torch.manual_seed(0)
    network = new_network(WITH_MASKS, LINEAR_HEAD, np.full(FINDINGS, 0.3, dtype=np.float32), 3, imagenet_state()).eval()
    assert isinstance(network, NetworkWithMasks)
    inputs = torch.randn(2, 1, SIZE, SIZE)
    said = network_outputs(network, inputs)
    torch.testing.assert_close(said.logits, network.body(inputs))
    assert said.masks is not None and said.masks.shape == (2, FINDINGS, SIZE // 16, SIZE // 16)


@pytest.mark.training
def test_it_learns_where_findings_lie() -> None:
    films = films_with_masks()
    losses: list[float] = []
    torch.manual_seed(0)
    network = new_network(WITH_MASKS, LINEAR_HEAD, films.labels.mean(0), 3, imagenet_state())
    fit_network(network, films, np.arange(24), WITH_MASKS, 0, lambda _, __, loss: losses.append(loss))
    network.eval()
    pixels = torch.from_numpy(films.pixels[:, 4:-4, 4:-4]).float().div(255)[:, None]
    with torch.no_grad():
        said = network_outputs(network, (pixels - 0.5) / 0.25).masks
    assert said is not None and films.masks is not None
    shown = torch.nn.functional.adaptive_avg_pool2d(torch.from_numpy(films.masks.of(np.arange(24))), SIZE // 16)
    inside, outside = said[:, :2][shown[:, :2] > 0.9], said[:, :2][shown[:, :2] < 0.1]
    assert inside.mean() > outside.mean() + 0.5 and losses[-1] < losses[0]


@pytest.mark.training
def test_masks_that_are_not_there_cannot_be_learned(wording: Wording) -> None:
    network = new_network(WITH_MASKS, LINEAR_HEAD, np.full(3, 0.3, dtype=np.float32), 3, imagenet_state())
    with pytest.raises(ValueError) as caught:
        fit_network(network, few_films(8, 3), np.arange(8), WITH_MASKS, 0, lambda *_: None)
    wording(caught.value, "mask_weight")
    with pytest.raises(ValueError) as caught:
        new_network(WITH_MASKS, RecipePart("ml-decoder"), np.full(3, 0.3, dtype=np.float32), 3, imagenet_state())
    wording(caught.value, "ml-decoder")
