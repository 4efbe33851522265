"""Random changes of simulated films, so wide that a real film looks like one more of them (domain randomization).

Tobin et al., IROS 2017; for segmentation Billot et al. ("SynthSeg"), Medical Image Analysis 2023. `moved` changes film
and outlines alike: field, crop, turn, stretch and a smooth warp. `restyled` changes the film only: gray scale, local
contrast, spectrum, shading, blur, noise, and what hides parts of it.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional

# Amplitude spectrum of 300 NIH ChestX-ray14 films at 192 px relative to that of 120 simulated films: natural logarithm
# of the ratio, by frequency in cycles per pixel. Real films hold less fine detail.
FREQUENCIES = (0.0, 0.015, 0.025, 0.038, 0.055, 0.078, 0.105, 0.14, 0.185, 0.24, 0.305, 0.38, 0.46, 0.71)
REAL_TO_SIMULATED = (0.0, -0.11, 0.01, -0.54, -0.39, -0.22, -0.35, -0.39, -0.46, -0.45, -0.52, -0.69, -0.92, -1.0)
_WARP_KNOTS = 5
_TONE_KNOTS = 7


def moved(films: Tensor, outlines: Tensor, size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Move films (n, 1, h, w) in [0, 1] with their outlines (n, k, h, w), and resample both to `size`.

    Returns the films (n, 1, size, size); the share (n, k, size / 2, size / 2) of each cell that each outline covers,
    from 0 to 1; and where the film is (n, 1, size, size): 1 inside a random field, 0 on the border around it.
    """
    n = len(films)
    grid = functional.affine_grid(_affine(n, generator), [n, 1, size, size], align_corners=False)
    inside = (grid.abs().amax(-1) < 1)[:, None] * _frame(n, size, generator)
    grid = grid + _warp(n, size, generator)
    shown = functional.grid_sample(films, grid, mode="bilinear", padding_mode="border", align_corners=False)
    shares = functional.grid_sample(outlines, grid, mode="bilinear", padding_mode="border", align_corners=False)
    return shown * inside, functional.avg_pool2d(shares * inside, 2), inside


def restyled(films: Tensor, inside: Tensor, generator: torch.Generator) -> Tensor:
    """Change the look of films (n, 1, s, s) in [0, 1]; nothing moves. Outside `inside` is a black or white border."""
    films = _opacities(films, generator)
    films = _shading(films, generator)
    films = _toned(films, generator)
    films = _local_contrast(films, generator)
    films = _respectrum(films, generator)
    films = _dark_tail(films, generator)
    films = _noisy(films, generator)
    films = _hidden(films, generator)
    border = _chosen(len(films), 0.1, generator) * 0.9
    return (films * inside + border * (1 - inside)).clamp(0, 1)


def _uniform(n: int, low: float, high: float, generator: torch.Generator) -> Tensor:
    return (torch.rand(n, generator=generator) * (high - low) + low).view(n, 1, 1, 1)


def _chosen(n: int, share: float, generator: torch.Generator) -> Tensor:
    return (torch.rand(n, generator=generator) < share).float().view(n, 1, 1, 1)


def _affine(n: int, generator: torch.Generator) -> Tensor:
    angle = _uniform(n, -12, 12, generator).flatten() * math.pi / 180
    scale = torch.exp(_uniform(n, -0.28, 0.22, generator).flatten())
    aspect = torch.exp(_uniform(n, -0.12, 0.12, generator).flatten())
    shift = _uniform(2 * n, -0.2, 0.2, generator).view(n, 2)  # 2 is the full width
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    rows = torch.stack([cos * aspect, -sin, shift[:, 0]], 1), torch.stack([sin, cos / aspect, shift[:, 1]], 1)
    return torch.stack(rows, 1)


def _warp(n: int, size: int, generator: torch.Generator) -> Tensor:
    """Return smooth displacements (n, size, size, 2); 2 is the full width."""
    knots = torch.randn(n, 2, _WARP_KNOTS, _WARP_KNOTS, generator=generator) * _uniform(n, 0, 0.045, generator)
    smooth = functional.interpolate(knots, (size, size), mode="bicubic", align_corners=True)
    return smooth.permute(0, 2, 3, 1)


def _smooth_field(n: int, size: int, knots: int, generator: torch.Generator) -> Tensor:
    field = torch.randn(n, 1, knots, knots, generator=generator)
    return functional.interpolate(field, (size, size), mode="bicubic", align_corners=True)


def _opacities(films: Tensor, generator: torch.Generator) -> Tensor:
    """Add white haze of smooth random shape to two films in five: fluid, consolidation, collapse."""
    n, size = len(films), films.shape[-1]
    haze = (_smooth_field(n, size, 4, generator) * 1.5 - _uniform(n, 0.2, 1.4, generator)).sigmoid()
    haze = haze * _uniform(n, 0.2, 0.85, generator) * _chosen(n, 0.4, generator)
    white = films.flatten(1).quantile(0.9, 1).view(n, 1, 1, 1)
    return films + haze * (torch.maximum(films, white) - films)


def _shading(films: Tensor, generator: torch.Generator) -> Tensor:
    n, size = len(films), films.shape[-1]
    return films * torch.exp(_smooth_field(n, size, 3, generator) * _uniform(n, 0, 0.25, generator))


def _toned(films: Tensor, generator: torch.Generator) -> Tensor:
    """Apply a random increasing curve, then random contrast and brightness."""
    n = len(films)
    steps = torch.exp(torch.randn(n, _TONE_KNOTS, generator=generator) * 0.5)
    knots = functional.pad(steps.cumsum(1) / steps.sum(1, keepdim=True), (1, 0))
    place = films.clamp(0, 0.9999).flatten(1) * _TONE_KNOTS
    low = place.long()
    curve = knots.gather(1, low)
    curve = curve + (knots.gather(1, low + 1) - curve) * (place - low)
    toned = curve.view_as(films).clamp_min(1e-4) ** torch.exp(_uniform(n, -0.5, 0.5, generator))
    return (toned - 0.5) * _uniform(n, 0.5, 1.4, generator) + 0.5 + _uniform(n, -0.15, 0.15, generator)


def _local_contrast(films: Tensor, generator: torch.Generator) -> Tensor:
    """Strengthen or weaken what is smaller than a few pixels to a tenth of the film, as processing does."""
    n, size = len(films), films.shape[-1]
    factor = int(torch.randint(4, 20, (1,), generator=generator))
    small = functional.interpolate(films, scale_factor=1 / factor, mode="bilinear", antialias=True)
    large = functional.interpolate(small, (size, size), mode="bilinear", align_corners=False)
    return films + _uniform(n, -0.3, 1.2, generator) * _chosen(n, 0.5, generator) * (films - large)


def _respectrum(films: Tensor, generator: torch.Generator) -> Tensor:
    """Change the strength of detail by frequency, toward real films' spectra, past them, or away."""
    n, size = len(films), films.shape[-1]
    down = torch.fft.fftfreq(size)[:, None]
    across = torch.fft.rfftfreq(size)[None]
    ratio = _interpolated(torch.hypot(down, across))
    spread = torch.randn(n, 5, generator=generator) * 0.15
    spread[:, 0] = 0
    along = (torch.hypot(down, across) / 0.71 * 4).clamp(0, 3.999)
    low = along.long()
    jitter = spread[:, low] + (spread[:, low + 1] - spread[:, low]) * (along - low)
    gain = torch.exp(_uniform(n, -0.4, 2.0, generator) * ratio + jitter[:, None])
    changed: Tensor = torch.fft.irfft2(torch.fft.rfft2(films) * gain, s=(size, size))
    return changed


def _interpolated(frequency: Tensor) -> Tensor:
    at, values = torch.tensor(FREQUENCIES), torch.tensor(REAL_TO_SIMULATED)
    above = torch.searchsorted(at, frequency.contiguous()).clamp(1, len(at) - 1)
    share = (frequency - at[above - 1]) / (at[above] - at[above - 1])
    return values[above - 1] + (values[above] - values[above - 1]) * share.clamp(0, 1)


def _dark_tail(films: Tensor, generator: torch.Generator) -> Tensor:
    """Lift or invert the darkest gray of one film in six: air around the body is not black everywhere."""
    n = len(films)
    cut = films.flatten(1).quantile(0.12, 1).view(n, 1, 1, 1)
    below = (cut - films).clamp_min(0)
    return films + _chosen(n, 0.17, generator) * _uniform(n, 0.5, 2.5, generator) * below


def _noisy(films: Tensor, generator: torch.Generator) -> Tensor:
    n, size = len(films), films.shape[-1]
    fine = torch.randn(films.shape, generator=generator) * _uniform(n, 0, 0.22, generator).square()
    mottle = sum(
        _smooth_field(n, size, knots, generator) * _uniform(n, 0, 0.03, generator) for knots in (12, 24, 48, 96)
    )
    return films + fine + mottle


def _hidden(films: Tensor, generator: torch.Generator) -> Tensor:
    """Draw bright or dark bars and boxes on half of the films: devices, cables, text, plates."""
    films, size = films.clone(), films.shape[-1]

    def draw(low: int, high: int) -> int:
        return int(torch.randint(low, high, (1,), generator=generator))

    for index in (torch.rand(len(films), generator=generator) < 0.5).nonzero().flatten().tolist():
        for _ in range(draw(1, 5)):
            is_bar = draw(0, 5) < 3
            sides = (draw(size // 10, size // 2), 2) if is_bar else (draw(4, size // 6), draw(3, size // 8))
            high, wide = sides if draw(0, 2) else sides[::-1]
            top, left = draw(0, size - high), draw(0, size - wide)
            gray, share = draw(-10, 111) / 100, draw(20, 101) / 100
            box = films[index, :, top : top + high, left : left + wide]
            box += share * (gray - box)
    return films


def _frame(n: int, size: int, generator: torch.Generator) -> Tensor:
    """Return 1 inside a field (n, 1, size, size) that leaves up to a sixth of each side free, on half of the films."""
    place = (torch.arange(size) + 0.5) / size
    gaps = torch.rand(n, 4, generator=generator).square() * 0.17 * (torch.rand(n, 4, generator=generator) < 0.5)
    gaps *= (torch.rand(n, 1, generator=generator) < 0.6).float()
    across = (place >= gaps[:, :1]) & (place <= 1 - gaps[:, 1:2])
    down = (place >= gaps[:, 2:3]) & (place <= 1 - gaps[:, 3:])
    return (down[:, :, None] & across[:, None])[:, None].float()
