"""Films for networks of different input sizes: a larger film is reduced, never enlarged."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.output import HeadOutput

FILMS_AT_ONCE = 256


class NetworkAtSize(nn.Module):
    """A network that reduces larger inputs to its own size, so that networks of several sizes can read one film."""

    def __init__(self, network: nn.Module, size: int) -> None:
        super().__init__()
        self.network, self.size = network, size

    def forward(self, inputs: Tensor) -> Tensor:
        """Return the network's logits of inputs (n, 1, s, s)."""
        logits: Tensor = self.network(_reduced(inputs, self.size))
        return logits

    def read_studies(self, inputs: Tensor, present: Tensor, lateral: Tensor) -> HeadOutput:
        """Return the network's output for studies of films (n, v, s, s); see `HeadedNetwork.read_studies`."""
        answer: HeadOutput = cast(Any, self.network).read_studies(_reduced(inputs, self.size), present, lateral)
        return answer


def shrink(pixels: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """Return films (n, s, s) reduced to (n, size, size). Raises ValueError if they are smaller."""
    parts = [pixels[start : start + FILMS_AT_ONCE] for start in range(0, len(pixels), FILMS_AT_ONCE)]
    reduced = [_reduced(torch.from_numpy(part).float()[:, None], size)[:, 0] for part in parts]
    return np.concatenate([part.round().clamp(0, 255).byte().numpy() for part in reduced])


def _reduced(films: Tensor, size: int) -> Tensor:
    if films.shape[-1] == size:
        return films
    if films.shape[-1] < size:
        raise ValueError(f"The films have {films.shape[-1]} pixels per side, fewer than the network's {size}.")
    return functional.interpolate(films, size=(size, size), mode="bilinear", antialias=True)
