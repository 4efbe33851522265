"""Test-time augmentation: the mean logit over several views of a film."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.array_types import Float32
from models.training.augment import apply_moves
from models.training.network import network_device, normalize

ViewTransform = Callable[[Tensor], Tensor]  # films (n, 1, s, s) in [0, 1] to the same number and size


@torch.inference_mode()
def mean_over_views(
    network: nn.Module, pixels: NDArray[np.uint8], findings: int, views: Sequence[ViewTransform], batch: int = 32
) -> Float32:
    """Return mean logits (n, findings) of letterboxed films (n, s, s)."""
    parts, device = [], network_device(network)
    for start in range(0, len(pixels), batch):
        films = torch.from_numpy(pixels[start : start + batch]).float().div(255)[:, None]
        shown = (normalize(view(films)).to(device, memory_format=torch.channels_last) for view in views)
        parts.append(torch.stack([network(inputs) for inputs in shown]).mean(0)[:, :findings].cpu())
    return torch.cat(parts).numpy()


def unchanged(films: Tensor) -> Tensor:
    return films


def mirror_films(films: Tensor) -> Tensor:
    """Exchange left and right, which puts hearts, stomachs and azygos lobes on the wrong side."""
    return films.flip(-1)


def turn_films(films: Tensor, degrees: float) -> Tensor:
    """Rotate counterclockwise about the center; new pixels are black."""
    angle = torch.deg2rad(torch.tensor(degrees))
    move = torch.stack([torch.stack([angle.cos(), -angle.sin()]), torch.stack([angle.sin(), angle.cos()])])
    moves = functional.pad(move, (0, 1)).expand(len(films), 2, 3)
    return apply_moves(films, moves, films.shape[-1])


def crop_films(films: Tensor, share: float, down: float, right: float) -> Tensor:
    """Crop a square of `share` of the side, positioned `down` and `right` from 0 to 1, and enlarge it to film size."""
    size = films.shape[-1]
    side = round(share * size)
    top, left = round(down * (size - side)), round(right * (size - side))
    part = films[..., top : top + side, left : left + side]
    return functional.interpolate(part, size=(size, size), mode="bilinear", align_corners=False)
