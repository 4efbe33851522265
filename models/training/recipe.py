"""One training run: ImageNet weights to a long-tailed NIH classifier, with averaged weights scored after every epoch.

Asymmetric loss (Ridnik et al., ICCV 2021), mixup (Zhang et al., ICLR 2018), one-cycle AdamW, exponential moving
average. View, sex and age are learned beside the findings, where known: more to learn from each of few films. Each
folder has intercepts of its own while training, so that the network need not learn how a folder was sampled; their mean
is part of the classifier's bias when it is used.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
import timm
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.augment import augment
from models.training.films import Films


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides a training run but the films."""

    architecture: str = "tf_efficientnet_lite0"
    size: int = 160
    epochs: int = 10
    batch: int = 32
    learning_rate: float = 6e-4
    intercept_rate: float = 0.02
    weight_decay: float = 0.05
    dropout: float = 0.3
    drop_path: float = 0.1
    mixup: float = 0.4
    trait_weight: float = 0.1
    average_decay: float = 0.995
    gamma_negative: float = 3.0
    clip: float = 0.05


def imagenet_model(recipe: Recipe, outputs: int, state: dict[str, Tensor]) -> nn.Module:
    """A one-channel `recipe.architecture` carrying ImageNet weights, its classifier fresh.

    `state` lists the published tensors in the order of timm's own state dict; the stem's color filters are summed.
    """
    model = timm.create_model(
        recipe.architecture, in_chans=1, num_classes=outputs, drop_rate=recipe.dropout, drop_path_rate=recipe.drop_path
    )
    own = model.state_dict()
    for (name, target), source in zip(own.items(), state.values(), strict=True):
        if name.startswith("classifier"):
            continue
        own[name] = source.sum(1, keepdim=True) if source.shape != target.shape else source
    model.load_state_dict(own)
    return model.to(memory_format=torch.channels_last)


def asymmetric_loss(logits: Tensor, labels: Tensor, recipe: Recipe) -> Tensor:
    """Asymmetric loss per film (n,): easy negatives count less, probabilities below `clip` not at all."""
    probability = torch.sigmoid(logits)
    shifted = (probability - recipe.clip).clamp_min(0)
    positive = labels * functional.logsigmoid(logits)
    negative = (1 - labels) * shifted**recipe.gamma_negative * torch.log((1 - shifted).clamp_min(1e-6))
    return -(positive + negative).sum(1)


def trait_loss(logits: Tensor, traits: Tensor) -> Tensor:
    """Cross-entropy per film (n,) of view, sex and age (as a fraction), unknown ones left out."""
    known = ~traits.isnan()
    loss = functional.binary_cross_entropy_with_logits(logits, traits.nan_to_num(), reduction="none")
    return (loss * known).sum(1)


def train(
    films: Films,
    rows: NDArray[np.int64],
    recipe: Recipe,
    state: dict[str, Tensor],
    seed: int,
    after_epoch: Callable[[int, nn.Module, float], None],
    last: int | None = None,
) -> nn.Module:
    """Train on `rows` of `films`; `after_epoch(epoch, averaged model, mean loss)` is called at each epoch's end.
    `last` stops the schedule of `recipe.epochs` after that epoch.

    Returns the averaged model, its outputs the findings followed by the traits.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    findings = films.labels.shape[1]
    model = imagenet_model(recipe, findings + films.traits.shape[1], state).train()
    _start_at_prevalence(cast(nn.Linear, model.classifier), films.labels[rows].mean(0))
    average = copy.deepcopy(model).eval()
    folders = np.unique(films.folders, return_inverse=True)[1]
    intercepts = nn.Parameter(torch.zeros(int(folders.max()) + 1, findings))
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in model.parameters() if p.ndim > 1], "weight_decay": recipe.weight_decay},
            {"params": [p for p in model.parameters() if p.ndim <= 1], "weight_decay": 0.0},
            {"params": [intercepts], "weight_decay": 0.0},
        ]
    )
    peaks = [recipe.learning_rate, recipe.learning_rate, recipe.intercept_rate]
    steps = recipe.epochs * (len(rows) // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, peaks, steps, pct_start=0.2)
    step = 0
    for epoch in range(1, (last or recipe.epochs) + 1):
        losses = []
        for batch in _batches(rows, recipe.batch, generator):
            own = intercepts - intercepts.mean(0)
            loss = _loss(model, films, batch, recipe, own[torch.from_numpy(folders[batch])], generator)
            optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            schedule.step()
            step += 1
            _follow(average, model, min(recipe.average_decay, (1 + step) / (10 + step)))
            losses.append(float(loss.detach()))
        after_epoch(epoch, average, float(np.mean(losses)))
    return average


@torch.inference_mode()
def predict(model: nn.Module, pixels: NDArray[np.uint8], findings: int, batch: int = 32) -> NDArray[np.float32]:
    """Logits (n, findings) of letterboxed films (n, size, size)."""
    parts = []
    for start in range(0, len(pixels), batch):
        films = torch.from_numpy(pixels[start : start + batch]).float().div(255)[:, None]
        parts.append(model(normalize(films).contiguous(memory_format=torch.channels_last))[:, :findings])
    return torch.cat(parts).numpy()


def normalize(films: Tensor) -> Tensor:
    """Films in [0, 1] as the model reads them; the registry's mean and standard deviation."""
    return (films - 0.5) / 0.25


def _loss(
    model: nn.Module,
    films: Films,
    batch: NDArray[np.int64],
    recipe: Recipe,
    bias: Tensor,
    generator: torch.Generator,
) -> Tensor:
    """Mean loss of an augmented, mixed batch; `bias` (n, findings) is each film's folder's own."""
    pixels = torch.from_numpy(films.pixels[batch]).float().div(255)[:, None]
    inputs = normalize(augment(pixels, torch.from_numpy(films.sharp[batch]), recipe.size, generator))
    labels, traits = torch.from_numpy(films.labels[batch]), torch.from_numpy(films.traits[batch])
    share, partner = 1.0, torch.arange(len(batch))
    if recipe.mixup:
        share = float(torch.distributions.Beta(recipe.mixup, recipe.mixup).sample())
        partner = torch.randperm(len(batch), generator=generator)
        inputs = share * inputs + (1 - share) * inputs[partner]
    with torch.autocast("cpu", torch.bfloat16, enabled=torch.cpu._is_avx512_bf16_supported()):
        outputs = model(inputs.contiguous(memory_format=torch.channels_last)).float()
    findings = labels.shape[1]
    bias = share * bias + (1 - share) * bias[partner]

    def each(labels: Tensor, traits: Tensor) -> Tensor:
        return asymmetric_loss(outputs[:, :findings] + bias, labels, recipe) + recipe.trait_weight * trait_loss(
            outputs[:, findings:], traits
        )

    return (share * each(labels, traits) + (1 - share) * each(labels[partner], traits[partner])).mean()


@torch.no_grad()
def _start_at_prevalence(classifier: nn.Linear, prevalence: NDArray[np.float32]) -> None:
    """Let the classifier begin at the log odds of each finding: the first epochs are not spent on finding them."""
    classifier.weight.mul_(0.1)
    classifier.bias.zero_()
    classifier.bias[: len(prevalence)] = torch.logit(torch.from_numpy(prevalence).clamp(0.005, 0.5))


def _batches(rows: NDArray[np.int64], size: int, generator: torch.Generator) -> Iterator[NDArray[np.int64]]:
    order = rows[torch.randperm(len(rows), generator=generator).numpy()]
    for start in range(0, len(order) - size + 1, size):
        yield order[start : start + size]


@torch.no_grad()
def _follow(average: nn.Module, model: nn.Module, decay: float) -> None:
    """Move the averaged weights and batch statistics towards the model's."""
    for target, source in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if target.is_floating_point():
            target.lerp_(source, 1 - decay)
        else:
            target.copy_(source)
