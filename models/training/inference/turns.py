"""Averages over a film and slightly rotated copies of it, and over its mirror image if that is asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.inference.views import ViewTransform, mean_over_views, mirror_films, turn_films, unchanged


@dataclass(frozen=True, slots=True)
class TurnAveraging:
    """The mean logit over rotations by 0 and by `degrees` either way.

    `mirror` adds the mirror image, as CXR-LT 2026 Task 1 E does (section 3.2: horizontal flips and small rotations); it
    is off by default, because findings have sides.
    """

    degrees: float = 5.0
    mirror: bool = False

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        views: list[ViewTransform] = [
            unchanged,
            *(partial(turn_films, degrees=degrees) for degrees in (-self.degrees, self.degrees)),
            *([mirror_films] if self.mirror else []),
        ]
        return mean_over_views(networks[0], pixels, len(findings), views)
