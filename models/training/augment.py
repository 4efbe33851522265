"""Random changes that keep a radiograph valid: rotation, zoom, shift, tone, blur, a hidden patch; no mirroring."""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional


def augment(films: Tensor, sharp: Tensor, size: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Change a batch of films (n, 1, h, w) in [0, 1] at random and resample it to `size`: (n, 1, size, size).

    `sharp` (n,) marks films with more detail than films from the blurred sources. Half of them are blurred, so that
    sharpness does not reveal a film's source. Also returns how each film was moved, as input for `apply_moves`.
    """
    films = _blur_sharp(films, sharp, generator)
    moves = _moves(len(films), generator)
    return _hide_patch(_tone(apply_moves(films, moves, size), generator), generator), moves


def apply_moves(images: Tensor, moves: Tensor, size: int) -> Tensor:
    """Rotate, zoom and shift images (n, c, h, w) by `moves` (n, 2, 3), resampled to `size`."""
    grid = functional.affine_grid(moves, [len(images), 1, size, size], align_corners=False)
    return functional.grid_sample(images, grid, mode="bilinear", padding_mode="zeros", align_corners=False)


def _uniform(n: int, low: float, high: float, generator: torch.Generator) -> Tensor:
    return torch.rand(n, generator=generator) * (high - low) + low


def _moves(n: int, generator: torch.Generator) -> Tensor:
    angle = _uniform(n, -9, 9, generator) * math.pi / 180
    scale = 1 / _uniform(n, 0.85, 1.12, generator)
    aspect = _uniform(n, 0.94, 1.06, generator)
    shift = _uniform(2 * n, -0.16, 0.16, generator).view(n, 2)  # 2 is the full width
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    rows = torch.stack([cos * aspect, -sin, shift[:, 0]], 1), torch.stack([sin, cos / aspect, shift[:, 1]], 1)
    return torch.stack(rows, 1)


def _tone(films: Tensor, generator: torch.Generator) -> Tensor:
    n = len(films)
    gamma = torch.exp(_uniform(n, -0.3, 0.3, generator)).view(n, 1, 1, 1)
    contrast = _uniform(n, 0.8, 1.2, generator).view(n, 1, 1, 1)
    brightness = _uniform(n, -0.1, 0.1, generator).view(n, 1, 1, 1)
    changed = (films.clamp_min(1e-4) ** gamma - 0.5) * contrast + 0.5 + brightness
    noise = torch.randn(films.shape, generator=generator) * _uniform(n, 0, 0.02, generator).view(n, 1, 1, 1)
    return (changed + noise).clamp(0, 1)


def _blur_sharp(films: Tensor, sharp: Tensor, generator: torch.Generator) -> Tensor:
    films = films.clone()
    chosen = (sharp & (torch.rand(len(films), generator=generator) < 0.5)).nonzero().flatten().tolist()
    full = films.shape[-1]
    for index in chosen:
        small = int(torch.randint(56, 147, (1,), generator=generator))
        film = functional.interpolate(films[index : index + 1], size=(small, small), mode="bilinear", antialias=True)
        films[index] = functional.interpolate(film, size=(full, full), mode="bilinear", align_corners=False)[0]
    return films


def _hide_patch(films: Tensor, generator: torch.Generator) -> Tensor:
    size = films.shape[-1]
    for index in (torch.rand(len(films), generator=generator) < 0.25).nonzero().flatten().tolist():
        side = int(torch.randint(size // 8, size // 3, (1,), generator=generator))
        top, left = torch.randint(0, size - side, (2,), generator=generator).tolist()
        films[index, :, top : top + side, left : left + side] = films[index].mean()
    return films
