"""Projection routing: one network recognizes PA and AP films, and each projection has its own network."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from torch import nn

from models.array_types import Float32
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class ProjectionRouter:
    """Mixes logits of the second network (PA) and the third (AP) by the first one's probability of the view.

    2026 Task 1 B routes by projection. The first network's view is a trait that every network of the lab learns in
    addition to the findings; it is the first output after them. Mixing both networks instead of choosing one is
    Tailscope's.
    """

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        router, pa, ap = networks
        share = expit(predict(router, pixels, len(findings) + 1)[:, -1:])
        mixed: Float32 = (1 - share) * predict(pa, pixels, len(findings)) + share * predict(ap, pixels, len(findings))
        return mixed
