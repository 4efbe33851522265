"""The settings of a training run, except its films and initial weights."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from models.training.parameters import Parameter

IMAGENET = "imagenet"  # initial weights that were trained on photographs


@dataclass(frozen=True, slots=True)
class RecipePart:
    """An interchangeable part of a run, such as a loss or a head: its name, and changes to its default parameters."""

    name: str
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """The settings of a run; the defaults are the shipped classifiers' settings.

    `architecture` is timm's name, `start` the initial weights (models/training/start.py). `trains` is "all", "head", or
    "last 2": the head and the last two stages of the backbone. An optimizer step follows `accumulate` batches;
    `optimizer` is "adamw" or "lion" (Chen et al., Symbolic discovery of optimization algorithms, NeurIPS 2023).

    `loss`, `sampler`, `augmentation`, `mixing` and `similarity` are names in models/training/losses, sampling,
    augmentation, mixing and similarity. `mixup` is the alpha of the mixing of that name, 0 for none. `mask_weight`
    weighs the loss of a second head that localizes findings and `contrastive_weight` weighs the similarity loss of
    projected features; 0 turns either off. `expert_layers` of the backbone's last layers become mixtures of as many
    experts (models/training/expert_layer.py), and `pyramid_levels` resolutions are classified and added
    (models/training/feature_pyramid.py); 0 turns either off. Up to `study_films` films of a study are read together
    (models/training/film_groups.py), by a head that can; 0 reads each film alone.
    """

    architecture: str = "tf_efficientnet_lite0"
    start: str = IMAGENET
    size: int = 160
    epochs: int = 10
    batch: int = 32
    accumulate: int = 1
    learning_rate: float = 6e-4
    intercept_rate: float = 0.02
    weight_decay: float = 0.05
    dropout: float = 0.3
    drop_path: float = 0.1
    mixup: float = 0.4
    trait_weight: float = 0.1
    mask_weight: float = 0.0
    contrastive_weight: float = 0.0
    average_decay: float = 0.995
    loss: RecipePart = RecipePart("asymmetric", MappingProxyType({"gamma_negative": 3.0, "clip": 0.05}))
    sampler: str = "plain"
    augmentation: RecipePart = RecipePart("standard")
    mixing: RecipePart | None = None  # None: mixup, with `mixup` as its alpha
    similarity: RecipePart = RecipePart("equal-labels")
    trains: str = "all"
    optimizer: str = "adamw"
    expert_layers: int = 0
    experts: int = 4
    pyramid_levels: int = 0
    study_films: int = 0

    @property
    def mixes(self) -> RecipePart | None:
        """How films of a batch are mixed; None if they are not."""
        if self.mixing is not None:
            return self.mixing
        return RecipePart("mixup", MappingProxyType({"alpha": self.mixup})) if self.mixup else None
