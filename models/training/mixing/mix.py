"""What every way of mixing gives: mixed images, and whose labels count by how much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

MixImages = Callable[[Tensor], Tensor]  # maps (n, c, h, w) of any resolution to mixed ones


@dataclass(frozen=True, slots=True, eq=False)
class Mix:
    """A mixed batch of n films. `parts` holds shares that sum to 1, and the row numbers (n,) of their films.

    A share is one number or a tensor (n,). The loss of a mixed film is the sum of share times its loss with the labels
    of the part's row. `images` mixes films and their masks alike. `united` (n, m) are the films whose labels a mixed
    film has together, if not only its own.
    """

    parts: tuple[tuple[float | Tensor, Tensor], ...]
    images: MixImages
    united: Tensor | None = None

    def parts_on(self, device: torch.device) -> tuple[tuple[float | Tensor, Tensor], ...]:
        """Return the parts with their shares on a device."""
        return tuple((share if isinstance(share, float) else share.to(device), rows) for share, rows in self.parts)

    def values(self, values: Tensor) -> Tensor:
        """Return the mean, by share, of the parts' rows of values (n, ...)."""
        if len(self.parts) == 1:
            return values
        parts = self.parts_on(values.device)
        return sum((_column(share, values) * values[rows] for share, rows in parts), values.new_zeros(()))

    def labels(self, labels: Tensor) -> Tensor:
        """Return labels (n, k), 1, 0 or NaN: present if any united film has the finding, unknown if one might."""
        if self.united is None:
            return labels
        each = labels[self.united.to(labels.device)]
        return torch.where((each > 0).any(1), each.nan_to_num().amax(1), each.sum(1))

    def traits(self, traits: Tensor) -> Tensor:
        """Return traits (n, t), unknown for films that are made of several."""
        return traits if self.united is None else torch.full_like(traits, torch.nan)


class Mixing(Protocol):
    """Draws how a batch of films is mixed; what it draws from the generator must not depend on the device."""

    def __call__(self, films: int, generator: torch.Generator) -> Mix: ...


def unmixed(films: int) -> Mix:
    """Return a batch in which every film is itself."""
    return Mix(((1.0, torch.arange(films)),), lambda maps: maps)


def _column(share: float | Tensor, values: Tensor) -> float | Tensor:
    return share.view(-1, *[1] * (values.ndim - 1)) if isinstance(share, Tensor) else share
