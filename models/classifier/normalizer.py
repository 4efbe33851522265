"""Converts films at a model's input size to the model's normalized input."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from models.cards.card import Card
from models.cards.vlm_card import VlmCard


class Normalizer:
    """Copies gray films to `channels` channels on a device, normalized with the card's mean and standard deviation."""

    def __init__(self, card: Card | VlmCard, device: str, channels: int = 3) -> None:
        self._mean = torch.tensor(card.mean, device=device).view(1, -1, 1, 1)
        self._std = torch.tensor(card.std, device=device).view(1, -1, 1, 1)
        self._channels = channels
        self._device = device

    def __call__(self, films: Sequence[Tensor]) -> Tensor:
        """Return inputs (n, channels, size, size) of films (size, size) in [0, 1]."""
        gray = torch.stack(list(films))[:, None].to(self._device).expand(-1, self._channels, -1, -1)
        return ((gray - self._mean) / self._std).contiguous(memory_format=torch.channels_last)
