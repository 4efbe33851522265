"""Trains one network by a recipe, with averaged weights and a checkpoint after every epoch.

Uses mixup (Zhang et al., ICLR 2018), one-cycle AdamW and an exponential moving average. View, sex and age are learned
in addition to the findings, where known, because films are few. During training each folder has its own intercepts, so
that the network need not learn how a folder was sampled; their mean becomes part of the classifier's bias.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from timm.optim.lion import Lion
from torch import Tensor, nn
from torch.nn import functional

from models.training.augment import apply_moves
from models.training.augmentation.registry import build_augmentation
from models.training.film_groups import GroupBatch, film_groups, place_films
from models.training.films import TrainingFilms
from models.training.heads.output import HeadOutput, in_32_bits
from models.training.label_loss import label_counts, label_loss
from models.training.losses.registry import Loss, build_loss
from models.training.mixing.mix import Mix, unmixed
from models.training.mixing.registry import build_mixing
from models.training.network import (
    LINEAR_HEAD,
    network_outputs,
    new_network,
    normalize,
    study_outputs,
    timm_network,
    trained_parameters,
)
from models.training.precision import GradientSteps, Precision, computing
from models.training.prefetch import prefetched
from models.training.recipe import TrainingRecipe
from models.training.sampling.registry import build_sampler
from models.training.similarity.registry import build_similarity
from models.whole_file import atomic_write

AfterEpoch = Callable[[int, nn.Module, float], None]  # epoch (from 1 on), averaged network, mean loss
MAX_GRADIENT_NORM = 5.0  # norm at which gradients are clipped


class Trainer(Protocol):
    """Trains a network on `rows` of `films` epoch by epoch, as `train` does."""

    def __call__(
        self,
        films: TrainingFilms,
        rows: NDArray[np.int64],
        recipe: TrainingRecipe,
        state: dict[str, Tensor],
        seed: int,
        after_epoch: AfterEpoch,
        last: int | None = None,
    ) -> nn.Module: ...


def train(
    films: TrainingFilms,
    rows: NDArray[np.int64],
    recipe: TrainingRecipe,
    state: dict[str, Tensor],
    seed: int,
    after_epoch: AfterEpoch,
    last: int | None = None,
) -> nn.Module:
    """Train from ImageNet's `state` on `rows` of `films`; `after_epoch` is called at the end of each epoch.

    `last` stops the schedule of `recipe.epochs` after that epoch. Returns the averaged network, whose outputs are the
    findings and then the traits.
    """
    torch.manual_seed(seed)
    network = new_network(recipe, LINEAR_HEAD, films.labels[rows].mean(0), films.traits.shape[1], state)
    return fit_network(network, films, rows, recipe, seed, after_epoch, last=last)


def fit_network(
    network: nn.Module,
    films: TrainingFilms,
    rows: NDArray[np.int64],
    recipe: TrainingRecipe,
    seed: int,
    after_epoch: AfterEpoch,
    *,
    last: int | None = None,
    checkpoint: Path | None = None,
    precision: Precision | None = None,
) -> nn.Module:
    """Train `network` on `rows` of `films` like `train`, continuing torch's random state.

    It trains where the network is, by default with 32 bits. A seed draws the same films, changed in the same way, on
    every device, because all that is drawn for them is drawn on the processor.

    After each epoch the run is saved to the file `kept`; a run that finds the file resumes there, and its final weights
    equal an uninterrupted run's weights bit for bit. Raises ValueError for an unknown loss or sampler, for one that
    does not suit the labels, and if masks are to be learned from films without masks.
    """
    run = _Run(network, films, rows, recipe, seed, precision or Precision())
    first = 1 if checkpoint is None or not checkpoint.exists() else run.restore(checkpoint) + 1
    for epoch in range(first, (last or recipe.epochs) + 1):
        loss = run.epoch()
        after_epoch(epoch, run.average, loss)
        if checkpoint is not None:
            run.save(checkpoint, epoch)
    return run.average


@dataclass(frozen=True, slots=True, eq=False)
class _Batch:
    """Films of a batch, changed and mixed (n, 1, s, s), with their labels and traits, and how they were moved.

    Studies of up to v films are (n, v, s, s); `present` (n, v) marks the films that exist, `lateral` those that are
    lateral. `groups` (n,) are their numbers in the run.
    """

    groups: NDArray[np.int64]
    inputs: Tensor
    present: Tensor
    lateral: Tensor
    labels: Tensor
    traits: Tensor
    moves: Tensor
    mix: Mix


class _Run:
    """The mutable state of a training run."""

    def __init__(
        self,
        network: nn.Module,
        films: TrainingFilms,
        rows: NDArray[np.int64],
        recipe: TrainingRecipe,
        seed: int,
        precision: Precision,
    ) -> None:
        if recipe.mask_weight and films.masks is None:
            raise ValueError("These films have no masks. Remove mask_weight from the recipe.")
        mixes = recipe.mixes
        if recipe.contrastive_weight and mixes:
            raise ValueError("A mixed film has no class. Set mixup to 0 if contrastive_weight is not 0.")
        self.network, self.films, self.recipe = network.train(), films, recipe
        self.groups = film_groups(films, rows, recipe.study_films)
        labels, count = self.groups.labels, len(self.groups)
        positives = label_counts(labels)
        self.loss: Loss = build_loss(recipe.loss.name, recipe.loss.parameters, positives, count)
        self.augmented = build_augmentation(recipe.augmentation.name, recipe.augmentation.parameters, positives, count)
        self.mixed = build_mixing(mixes.name, mixes.parameters) if mixes else None
        self.similarity = build_similarity(recipe.similarity.name, recipe.similarity.parameters)
        self.sampled = build_sampler(recipe.sampler, np.nan_to_num(labels))
        self.generator = torch.Generator().manual_seed(seed)
        self.average = copy.deepcopy(network).eval()
        self.folders = np.unique(films.folders, return_inverse=True)[1]
        self.device = next(network.parameters()).device
        self.precision = precision
        self.intercepts = nn.Parameter(torch.zeros(int(self.folders.max()) + 1, labels.shape[1], device=self.device))
        trained = trained_parameters(network, recipe.trains)
        network.requires_grad_(False)  # frozen weights need no gradients
        for parameter in trained:
            parameter.requires_grad_(True)
        free = _undecayed(network)
        kind = Lion if recipe.optimizer == "lion" else torch.optim.AdamW
        self.optimizer: torch.optim.Optimizer = kind(
            [
                {"params": [p for p in trained if id(p) not in free], "weight_decay": recipe.weight_decay},
                {"params": [p for p in trained if id(p) in free], "weight_decay": 0.0},
                {"params": [self.intercepts], "weight_decay": 0.0},
            ]
        )
        peaks = [recipe.learning_rate, recipe.learning_rate, recipe.intercept_rate]
        self.steps = GradientSteps(self.optimizer, self.device, precision)
        steps = recipe.epochs * math.ceil(count // recipe.batch / recipe.accumulate)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, peaks, steps, pct_start=0.2)
        self.step = 0

    def epoch(self) -> float:
        """Train one epoch and return its mean loss."""
        _train_mode(self.network)
        losses: list[float] = []
        batches, every = len(self.groups) // self.recipe.batch, self.recipe.accumulate
        self.optimizer.zero_grad(set_to_none=True)
        for number, batch in enumerate(self._prepared(), 1):
            loss = self._loss(batch)
            together = min(every, batches - (number - 1) // every * every)  # fewer at the end of an epoch
            self.steps.add(loss / together)
            losses.append(float(loss.detach()))
            if number % every == 0 or number == batches:
                self._step()
        return float(np.mean(losses))

    def _step(self) -> None:
        self.steps.step(self.network.parameters(), MAX_GRADIENT_NORM)
        self.schedule.step()
        self.step += 1
        _follow(self.average, self.network, min(self.recipe.average_decay, (1 + self.step) / (10 + self.step)))

    def save(self, checkpoint: Path, epoch: int) -> None:
        """Save everything that the next epoch depends on."""
        with atomic_write(checkpoint) as partial:
            torch.save(
                {
                    "epoch": epoch,
                    "step": self.step,
                    **{name: part.state_dict() for name, part in self._parts().items()},
                    "intercepts": self.intercepts.detach(),
                    "order": self.generator.get_state(),
                    "random": torch.get_rng_state(),
                    "random on the device": torch.cuda.get_rng_state(self.device) if self._is_cuda else None,
                },
                partial,
            )

    def restore(self, checkpoint: Path) -> int:
        """Restore a saved run and return its last epoch."""
        found = torch.load(checkpoint, weights_only=True, map_location="cpu")
        for name, part in self._parts().items():
            if found.get(name):  # a scaler that is not used has no state
                part.load_state_dict(found[name])
        with torch.no_grad():
            self.intercepts.copy_(found["intercepts"])
        self.step = int(found["step"])
        self.generator.set_state(found["order"])
        torch.set_rng_state(found["random"])
        if self._is_cuda and found.get("random on the device") is not None:
            torch.cuda.set_rng_state(found["random on the device"], self.device)
        return int(found["epoch"])

    def _parts(self) -> dict[str, Any]:
        return {
            "network": self.network,
            "average": self.average,
            "optimizer": self.optimizer,
            "schedule": self.schedule,
            "scaler": self.steps.scaler,
        }

    @property
    def _is_cuda(self) -> bool:
        return self.device.type == "cuda"

    def _batches(self) -> Iterator[NDArray[np.int64]]:
        order, size = self.sampled(self.generator), self.recipe.batch
        for start in range(0, len(order) - size + 1, size):
            yield order[start : start + size]

    def _prepared(self) -> Iterator[_Batch]:
        """Yield an epoch's batches on the run's device; on a GPU the next ones are prepared meanwhile."""
        made = map(self._changed, self._batches())
        for batch in prefetched(made) if self._is_cuda else made:
            inputs = batch.inputs.to(self.device, non_blocking=True, memory_format=torch.channels_last)
            sent = {name: getattr(batch, name).to(self.device) for name in ("present", "lateral", "labels", "traits")}
            yield replace(batch, inputs=inputs, **sent)

    def _changed(self, groups: NDArray[np.int64]) -> _Batch:
        """Return films or studies of the run, changed at random and mixed.

        Studies are mixed place by place, with black where one has no film; a mixed film is lateral if most of it is.
        """
        films, shown = self.films, GroupBatch.of(self.films, self.groups.members[groups])
        pixels = torch.from_numpy(films.pixels[shown.rows]).float().div(255)[:, None]
        sharp, told = torch.from_numpy(films.sharp[shown.rows]), torch.from_numpy(films.labels[shown.rows])
        changed, moves = self.augmented(pixels, sharp, told, self.recipe.size, self.generator)
        mix = self.mixed(len(groups), self.generator) if self.mixed else unmixed(len(groups))
        inputs = mix.images(normalize(place_films(changed[:, 0], shown.present)))
        present, lateral = (mix.values(mix.labels(each.float())) for each in (shown.present, shown.lateral))
        labels, traits = torch.from_numpy(self.groups.labels[groups]), torch.from_numpy(self.groups.traits[groups])
        return _Batch(
            groups, inputs, present > 0, 2 * lateral > present, mix.labels(labels), mix.traits(traits), moves, mix
        )

    def _loss(self, batch: _Batch) -> Tensor:
        """Return the mean loss of a batch, with the intercepts of each film's folder, or of a study's first film's."""
        recipe, labels, traits, mix = self.recipe, batch.labels, batch.traits, batch.mix
        with computing(self.device, self.precision):
            answer = in_32_bits(self._outputs(batch))
        findings = labels.shape[1]
        own = self.intercepts - self.intercepts.mean(0)
        shift = mix.values(own[torch.from_numpy(self.folders[self.groups.members[batch.groups, 0]])])
        uncertain = None
        if self.groups.uncertain is not None:
            uncertain = torch.from_numpy(self.groups.uncertain[batch.groups]).to(self.device)

        def each(rows: Tensor) -> Tensor:
            """Return the loss per film or study (n,) with the labels and traits of these rows."""
            third = None if uncertain is None else uncertain[rows]
            return label_loss(self.loss, answer, shift, labels[rows], third) + recipe.trait_weight * trait_loss(
                answer.logits[:, findings:], traits[rows]
            )

        labeled = sum((share * each(rows) for share, rows in mix.parts_on(self.device)), shift.new_zeros(()))
        similarity = 0.0 if answer.vectors is None else self.similarity(answer.vectors, labels).mean()
        auxiliary = answer.auxiliary + self._mask_loss(answer.masks, batch)
        return labeled.mean() + auxiliary + recipe.contrastive_weight * similarity

    def _outputs(self, batch: _Batch) -> HeadOutput:
        if self.recipe.study_films:
            return study_outputs(self.network, batch.inputs, batch.present, batch.lateral)
        return network_outputs(self.network, batch.inputs)

    def _mask_loss(self, odds: Tensor | None, batch: _Batch) -> Tensor | float:
        """Return the loss of mask log odds (n, k, h, w) against the films' masks, moved and mixed like the films."""
        masks = self.films.masks
        if odds is None or masks is None:
            return 0.0
        cells = odds.shape[-1]
        # Twice as fine as the cells, so that none is missed.
        shares = apply_moves(torch.from_numpy(masks.of(self.groups.members[batch.groups, 0])), batch.moves, 2 * cells)
        shown = batch.mix.images(functional.avg_pool2d(shares, 2))[:, masks.located].to(self.device)
        loss = functional.binary_cross_entropy_with_logits(odds[:, masks.located], shown, reduction="none")
        return self.recipe.mask_weight * loss.mean((2, 3)).sum(1).mean()


def _train_mode(network: nn.Module) -> None:
    """Put the trained modules into training mode: frozen ones keep their statistics and use no dropout."""
    network.eval()
    for module in network.modules():
        if all(each.requires_grad for each in module.parameters()) and any(True for _ in module.parameters()):
            module.train()


def _undecayed(network: nn.Module) -> set[int]:
    """Return the identities of parameters without weight decay: biases, norms, and those that timm exempts.

    timm exempts, for example, position embeddings.
    """
    body = timm_network(network)
    exempt: set[str] = getattr(body, "no_weight_decay", set)()
    named = {id(each) for name, each in body.named_parameters() if name in exempt or name.split(".")[-1] in exempt}
    return named | {id(each) for each in network.parameters() if each.ndim <= 1}


def trait_loss(logits: Tensor, traits: Tensor) -> Tensor:
    """Return the cross-entropy per film (n,) of view, sex and age (as a fraction), ignoring unknown traits."""
    known = ~traits.isnan()
    loss = functional.binary_cross_entropy_with_logits(logits, traits.nan_to_num(), reduction="none")
    return (loss * known).sum(1)


@torch.no_grad()
def _follow(average: nn.Module, model: nn.Module, decay: float) -> None:
    """Move the averaged weights and batch statistics toward the model's."""
    for target, source in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if target.is_floating_point():
            target.lerp_(source, 1 - decay)
        else:
            target.copy_(source)
