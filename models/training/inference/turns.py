"""Averages over a film and slightly rotated copies of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.inference.views import ViewTransform, mean_over_views, turn_films, unchanged


@dataclass(frozen=True, slots=True)
class TurnAveraging:
    """The mean logit over rotations by 0 and by `degrees` either way. Films are never mirrored: findings have sides."""

    degrees: float = 5.0

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        views: list[ViewTransform] = [
            unchanged,
            *(partial(turn_films, degrees=degrees) for degrees in (-self.degrees, self.degrees)),
        ]
        return mean_over_views(networks[0], pixels, len(findings), views)
