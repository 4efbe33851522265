"""Mixup: each film is blended with another one, and so are their labels."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from models.training.mixing.mix import Mix, unmixed


@dataclass(frozen=True, slots=True)
class Mixup:
    """Films x and labels y become share x + (1 - share) x', with one share per batch from Beta(alpha, alpha).

    Source: Zhang et al., ICLR 2018, section 2. `alpha` = 0 mixes nothing.
    """

    alpha: float = 0.4

    def __post_init__(self) -> None:
        if self.alpha < 0:
            raise ValueError(f"The alpha of mixup is {self.alpha}; it must be 0 or more.")

    def __call__(self, films: int, generator: torch.Generator) -> Mix:
        if not self.alpha:
            return unmixed(films)
        # Beta has no generator of its own: torch's state, which a checkpoint keeps, decides.
        share = float(torch.distributions.Beta(self.alpha, self.alpha).sample())
        partner = torch.randperm(films, generator=generator)
        parts = ((share, torch.arange(films)), (1 - share, partner))
        return Mix(parts, lambda maps: share * maps + (1 - share) * maps[partner.to(maps.device)])
