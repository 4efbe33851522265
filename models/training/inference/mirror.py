"""Averages over a film and its mirror image, as is common for photographs, to show its cost where sides matter."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.inference.views import mean_over_views, mirror_films, unchanged


@dataclass(frozen=True, slots=True)
class MirrorAveraging:
    """The mean logit of a film and its mirror image."""

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        return mean_over_views(networks[0], pixels, len(findings), [unchanged, mirror_films])
