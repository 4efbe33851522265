"""Builds augmentations by their names in recipes, with the counts of the training films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import torch
from torch import Tensor

from models.training.augmentation.erasing import ErasingAugmentation
from models.training.augmentation.standard import StandardAugmentation
from models.training.augmentation.targeted import TargetedAugmentation
from models.training.nearest_name import unknown_name
from models.training.parameters import Parameter, with_counts


class Augmentation(Protocol):
    """Changes films (n, 1, h, w) in [0, 1] with labels (n, k), NaN where unknown, and resamples them to `size`.

    Returns the films (n, 1, size, size) and how each was moved (n, 2, 3), as input for `augment.apply_moves`, which
    moves masks alike. `sharp` (n,) marks films that `augment` may blur. Random numbers come from `generator`, on the
    CPU, whatever the films' device, so that a seed gives the same films on every device.
    """

    def __call__(
        self, films: Tensor, sharp: Tensor, labels: Tensor, size: int, generator: torch.Generator
    ) -> tuple[Tensor, Tensor]: ...


AUGMENTATION_TYPES: dict[str, type[Any]] = {
    "standard": StandardAugmentation,
    "targeted": TargetedAugmentation,
    "erasing": ErasingAugmentation,
}


def build_augmentation(
    name: str, parameters: Mapping[str, Parameter], positives: Sequence[float], films: int
) -> Augmentation:
    """Return the augmentation `name`; its fields `positives` (k,) and `films`, if any, get the training films' counts.

    Raises ValueError for an unknown name or parameter, or an unsuitable value.
    """
    if name not in AUGMENTATION_TYPES:
        raise ValueError(unknown_name("augmentation", name, AUGMENTATION_TYPES))
    kind = AUGMENTATION_TYPES[name]
    made: Augmentation = kind(**with_counts(f"augmentation {name!r}", kind, parameters, positives, films))
    return made
