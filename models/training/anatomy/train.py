"""Trains the network that outlines anatomy: cross-entropy and Dice loss, averaged weights, checkpoints."""

from __future__ import annotations

import copy
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.anatomy.network import INPUT_SIDE, OutlineNetwork
from models.anatomy.structures import STRUCTURES
from models.training.anatomy.randomize import moved, restyled
from models.training.prefetch import prefetched
from models.whole_file import atomic_write

MAX_GRADIENT_NORM = 5.0  # norm at which gradients are clipped
SAVED_EVERY = 250  # steps
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OutlineRecipe:
    """How long and how fast to train."""

    steps: int = 4000
    batch_size: int = 16
    learning_rate: float = 3e-3
    weight_decay: float = 0.01
    average: float = 0.995  # share of the averaged weights that is kept at each step
    plain: float = 0.1  # share of batches whose look is not changed
    bfloat16: bool = True  # compute in 16 bits, where the processor has such instructions
    seed: int = 0


def unpack_outlines(bits: NDArray[np.uint8]) -> Tensor:
    """Return outlines (n, structures, h, w) as 0 or 1 from a bit each (n, h, w)."""
    planes = torch.from_numpy(np.ascontiguousarray(bits))[:, None] >> torch.arange(len(STRUCTURES)).view(1, -1, 1, 1)
    return (planes & 1).float()


def outline_loss(odds: Tensor, shares: Tensor) -> Tensor:
    """Return cross-entropy plus the mean Dice loss of the structures; both (n, structures, h, w).

    The Dice loss (Milletari et al., 3DV 2016) is that of a whole batch, because a structure may be absent from a film.
    """
    found = odds.sigmoid()
    both = (found * shares).sum((0, 2, 3))
    dice = (2 * both + 1) / (found.square().sum((0, 2, 3)) + shares.square().sum((0, 2, 3)) + 1)
    return functional.binary_cross_entropy_with_logits(odds, shares) + (1 - dice).mean()


def train_outlines(films: NDArray[np.uint8], recipe: OutlineRecipe, checkpoint: Path) -> OutlineNetwork:
    """Train on films (n, 2, h, w): pixels and outlines. Returns the averaged network.

    The run is saved to `checkpoint` every SAVED_EVERY steps; a run that finds the file resumes there.
    """
    torch.manual_seed(recipe.seed)
    network = OutlineNetwork().to(memory_format=torch.channels_last)
    average = copy.deepcopy(network).requires_grad_(False)
    optimizer = torch.optim.AdamW(network.parameters(), recipe.learning_rate, weight_decay=recipe.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=recipe.steps, pct_start=0.1
    )
    parts: dict[str, Any] = {"network": network, "average": average, "optimizer": optimizer, "schedule": schedule}
    first = 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=True)
        first = int(saved["step"])
        for name, part in parts.items():
            part.load_state_dict(saved[name])
    total = 0.0
    batches = (_batch(films, recipe, step) for step in range(first, recipe.steps))
    for step, (shown, shares) in enumerate(prefetched(batches), first + 1):
        with torch.autocast("cpu", torch.bfloat16, enabled=recipe.bfloat16):
            odds = network(shown.contiguous(memory_format=torch.channels_last))
        loss = outline_loss(odds.float(), shares)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(network.parameters(), MAX_GRADIENT_NORM)
        optimizer.step()
        schedule.step()
        _follow(average, network, min(recipe.average, step / (step + 10)))
        total += float(loss.detach())
        if step % SAVED_EVERY == 0 or step == recipe.steps:
            log.info("step %d of %d: loss %.3f", step, recipe.steps, total / SAVED_EVERY)
            total = 0.0
            with atomic_write(checkpoint) as partial:
                torch.save({"step": step} | {name: part.state_dict() for name, part in parts.items()}, partial)
    return average.eval()


def _batch(films: NDArray[np.uint8], recipe: OutlineRecipe, step: int) -> tuple[Tensor, Tensor]:
    random = np.random.default_rng((recipe.seed, step))
    generator = torch.Generator().manual_seed(int(random.integers(2**31)))
    drawn = films[np.sort(random.choice(len(films), recipe.batch_size, replace=False))]
    pixels = torch.from_numpy(drawn[:, 0]).float()[:, None] / 255
    shown, shares, inside = moved(pixels, unpack_outlines(drawn[:, 1]), INPUT_SIDE, generator)
    return (shown if random.uniform() < recipe.plain else restyled(shown, inside, generator)), shares


@torch.no_grad()
def _follow(average: nn.Module, network: nn.Module, kept: float) -> None:
    for mine, other in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
        if mine.is_floating_point():
            mine.lerp_(other, 1 - kept)
        else:
            mine.copy_(other)
