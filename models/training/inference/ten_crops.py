"""Ten crops: the four corners and the center of a film, and their mirror images."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from models.array_types import Float32
from models.training.inference.views import ViewTransform, crop_films, mean_over_views, mirror_films

CORNERS_AND_CENTER = ((0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (0.5, 0.5))


@dataclass(frozen=True, slots=True)
class TenCrops:
    """The mean logit over crops of `share` of the side (Krizhevsky et al., NIPS 2012, section 4.1).

    `mirror` adds their mirror images, as in the paper; otherwise there are five crops.
    """

    share: float = 0.9
    mirror: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"The share of a crop is {self.share}; it must be above 0 and at most 1.")

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        crops: list[ViewTransform] = [
            partial(crop_films, share=self.share, down=down, right=right) for down, right in CORNERS_AND_CENTER
        ]
        views = [*crops, *(_mirror_of(crop) for crop in crops)] if self.mirror else crops
        return mean_over_views(networks[0], pixels, len(findings), views)


def _mirror_of(view: ViewTransform) -> ViewTransform:
    def mirrored_view(films: Tensor) -> Tensor:
        return mirror_films(view(films))

    return mirrored_view
