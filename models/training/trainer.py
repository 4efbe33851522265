"""One training run, of any recipe: averaged weights after every epoch, put down there and taken up again.

Mixup (Zhang et al., ICLR 2018), one-cycle AdamW, exponential moving average. View, sex and age are learned beside the
findings, where known: more to learn from each of few films. Each folder has intercepts of its own while training, so
that the network need not learn how a folder was sampled; their mean is part of the classifier's bias when it is used.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.augment import augment, moved
from models.training.films import Films
from models.training.heads.projection import supervised_contrastive
from models.training.losses.registry import Loss, loss_of
from models.training.network import LINEAR, head_parameters, network_of, normalize, outputs_of
from models.training.recipe import Recipe
from models.training.sampling.registry import sampler_of
from models.whole_file import atomic_write

AfterEpoch = Callable[[int, nn.Module, float], None]  # the epoch from 1 on, the averaged network, the mean loss
STEEPEST = 5.0  # norm that gradients are clipped to
SURELY_ABSENT = -30.0  # a logit: the loss of an absent finding is less than rounding


class Trainer(Protocol):
    """What makes networks of `rows` of `films`, one after the other, as `train` does epoch by epoch."""

    def __call__(
        self,
        films: Films,
        rows: NDArray[np.int64],
        recipe: Recipe,
        state: dict[str, Tensor],
        seed: int,
        after_epoch: AfterEpoch,
        last: int | None = None,
    ) -> nn.Module: ...


def train(
    films: Films,
    rows: NDArray[np.int64],
    recipe: Recipe,
    state: dict[str, Tensor],
    seed: int,
    after_epoch: AfterEpoch,
    last: int | None = None,
) -> nn.Module:
    """Train from ImageNet's `state` on `rows` of `films`; `after_epoch` is called at each epoch's end.

    `last` stops the schedule of `recipe.epochs` after that epoch. Returns the averaged network, its outputs the
    findings followed by the traits.
    """
    torch.manual_seed(seed)
    network = network_of(recipe, LINEAR, films.labels[rows].mean(0), films.traits.shape[1], state)
    return fit(network, films, rows, recipe, seed, after_epoch, last=last)


def fit(
    network: nn.Module,
    films: Films,
    rows: NDArray[np.int64],
    recipe: Recipe,
    seed: int,
    after_epoch: AfterEpoch,
    *,
    last: int | None = None,
    kept: Path | None = None,
) -> nn.Module:
    """Train `network` on `rows` of `films`, as `train` does, drawing on from torch's random state.

    After each epoch everything goes into the file `kept`, and a run that finds it there goes on after that epoch: the
    weights in the end are the same, bit by bit, as of a run that was never broken off. Raises ValueError for a loss or
    a sampler that there is not or that does not suit the labels, and for masks to learn from films without.
    """
    run = _Run(network, films, rows, recipe, seed)
    first = 1 if kept is None or not kept.exists() else run.take_up(kept) + 1
    for epoch in range(first, (last or recipe.epochs) + 1):
        loss = run.epoch()
        after_epoch(epoch, run.average, loss)
        if kept is not None:
            run.put_down(kept, epoch)
    return run.average


@dataclass(frozen=True, slots=True)
class _Mix:
    """Each film of a batch with `share` of itself and the rest of its partner (n,)."""

    share: float
    partner: Tensor

    def of(self, values: Tensor) -> Tensor:
        return values if self.share == 1 else self.share * values + (1 - self.share) * values[self.partner]


class _Run:
    """What changes while a network is trained."""

    def __init__(self, network: nn.Module, films: Films, rows: NDArray[np.int64], recipe: Recipe, seed: int) -> None:
        if recipe.mask_weight and films.masks is None:
            raise ValueError("Nothing says where the findings of these films lie. Take mask_weight out of the recipe.")
        if recipe.contrastive_weight and recipe.mixup:
            raise ValueError("A mixed film is of no class. Set mixup to 0 where contrastive_weight is not.")
        self.network, self.films, self.rows, self.recipe = network.train(), films, rows, recipe
        labels = films.labels[rows]
        positives = np.nansum(labels, axis=0).tolist()
        self.loss: Loss = loss_of(recipe.loss.name, recipe.loss.parameters, positives, len(rows))
        self.sampled = sampler_of(recipe.sampler, np.nan_to_num(labels))
        self.generator = torch.Generator().manual_seed(seed)
        self.average = copy.deepcopy(network).eval()
        self.folders = np.unique(films.folders, return_inverse=True)[1]
        self.intercepts = nn.Parameter(torch.zeros(int(self.folders.max()) + 1, labels.shape[1]))
        trained = list(network.parameters()) if recipe.trains == "all" else head_parameters(network)
        network.requires_grad_(recipe.trains == "all")  # nothing is computed for what stays as it is
        for parameter in trained:
            parameter.requires_grad_(True)
        self.optimizer = torch.optim.AdamW(
            [
                {"params": [p for p in trained if p.ndim > 1], "weight_decay": recipe.weight_decay},
                {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
                {"params": [self.intercepts], "weight_decay": 0.0},
            ]
        )
        peaks = [recipe.learning_rate, recipe.learning_rate, recipe.intercept_rate]
        steps = recipe.epochs * (len(rows) // recipe.batch)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, peaks, steps, pct_start=0.2)
        self.step = 0

    def epoch(self) -> float:
        """The mean loss of one epoch."""
        self.network.train(self.recipe.trains == "all")  # a frozen backbone keeps its statistics too, and drops nothing
        losses = []
        for batch in self._batches():
            loss = self._loss(batch)
            self.optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(self.network.parameters(), STEEPEST)
            self.optimizer.step()
            self.schedule.step()
            self.step += 1
            _follow(self.average, self.network, min(self.recipe.average_decay, (1 + self.step) / (10 + self.step)))
            losses.append(float(loss.detach()))
        return float(np.mean(losses))

    def put_down(self, kept: Path, epoch: int) -> None:
        """Write all that the next epoch follows from."""
        with atomic_write(kept) as partial:
            torch.save(
                {
                    "epoch": epoch,
                    "step": self.step,
                    **{name: part.state_dict() for name, part in self._parts().items()},
                    "intercepts": self.intercepts.detach(),
                    "order": self.generator.get_state(),
                    "random": torch.get_rng_state(),
                },
                partial,
            )

    def take_up(self, kept: Path) -> int:
        """The epoch after which a run was put down."""
        found = torch.load(kept, weights_only=True)
        for name, part in self._parts().items():
            part.load_state_dict(found[name])
        with torch.no_grad():
            self.intercepts.copy_(found["intercepts"])
        self.step = int(found["step"])
        self.generator.set_state(found["order"])
        torch.set_rng_state(found["random"])
        return int(found["epoch"])

    def _parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "average": self.average,
            "optimizer": self.optimizer,
            "schedule": self.schedule,
        }

    def _batches(self) -> Iterator[NDArray[np.int64]]:
        order, size = self.rows[self.sampled(self.generator)], self.recipe.batch
        for start in range(0, len(order) - size + 1, size):
            yield order[start : start + size]

    def _loss(self, batch: NDArray[np.int64]) -> Tensor:
        """Mean loss of an augmented, mixed batch; each film's folder has its own bias."""
        films, recipe = self.films, self.recipe
        pixels = torch.from_numpy(films.pixels[batch]).float().div(255)[:, None]
        changed, moves = augment(pixels, torch.from_numpy(films.sharp[batch]), recipe.size, self.generator)
        inputs = normalize(changed)
        labels, traits = torch.from_numpy(films.labels[batch]), torch.from_numpy(films.traits[batch])
        mix = self._mix(len(batch))
        said = outputs_of(self.network, mix.of(inputs).contiguous(memory_format=torch.channels_last))
        findings = labels.shape[1]
        own = self.intercepts - self.intercepts.mean(0)
        logits = said.logits[:, :findings] + mix.of(own[torch.from_numpy(self.folders[batch])])

        def each(labels: Tensor, traits: Tensor) -> Tensor:
            return self.loss(*known_alone(logits, labels)) + recipe.trait_weight * trait_loss(
                said.logits[:, findings:], traits
            )

        both = mix.share * each(labels, traits) + (1 - mix.share) * each(labels[mix.partner], traits[mix.partner])
        likeness = 0.0 if said.vectors is None else supervised_contrastive(said.vectors, classes_of(labels)).mean()
        beside = said.auxiliary + self._mask_loss(said.masks, batch, moves, mix)
        return both.mean() + beside + recipe.contrastive_weight * likeness

    def _mask_loss(self, said: Tensor | None, batch: NDArray[np.int64], moves: Tensor, mix: _Mix) -> Tensor | float:
        """How far the log odds (n, k, h, w) are from the masks of the films, moved and mixed as those are."""
        masks = self.films.masks
        if said is None or masks is None:
            return 0.0
        cells = said.shape[-1]
        shares = moved(torch.from_numpy(masks.of(batch)), moves, 2 * cells)  # twice as fine, so that no cell is missed
        shown = mix.of(functional.avg_pool2d(shares, 2))[:, masks.located]
        loss = functional.binary_cross_entropy_with_logits(said[:, masks.located], shown, reduction="none")
        return self.recipe.mask_weight * loss.mean((2, 3)).sum(1).mean()

    def _mix(self, films: int) -> _Mix:
        if not self.recipe.mixup:
            return _Mix(1.0, torch.arange(films))
        share = float(torch.distributions.Beta(self.recipe.mixup, self.recipe.mixup).sample())
        return _Mix(share, torch.randperm(films, generator=self.generator))


def known_alone(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Logits and labels (n, findings) of which unknown pairs say nothing: as if the network were sure of their absence.

    A loss of such a pair is 0, and so is its gradient.
    """
    unknown = labels.isnan()
    return logits.masked_fill(unknown, SURELY_ABSENT), labels.masked_fill(unknown, 0.0)


def classes_of(labels: Tensor) -> Tensor:
    """The class (n,) of films by their labels (n, findings): those whose known labels are the same are of one."""
    classes: Tensor = torch.unique(labels.nan_to_num(-1.0), dim=0, return_inverse=True)[1]
    return classes


def trait_loss(logits: Tensor, traits: Tensor) -> Tensor:
    """Cross-entropy per film (n,) of view, sex and age (as a fraction), unknown ones left out."""
    known = ~traits.isnan()
    loss = functional.binary_cross_entropy_with_logits(logits, traits.nan_to_num(), reduction="none")
    return (loss * known).sum(1)


@torch.no_grad()
def _follow(average: nn.Module, model: nn.Module, decay: float) -> None:
    """Move the averaged weights and batch statistics towards the model's."""
    for target, source in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if target.is_floating_point():
            target.lerp_(source, 1 - decay)
        else:
            target.copy_(source)
