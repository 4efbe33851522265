"""Prepares a film for an image-text model: never cropped, padded with air, as tensors instead of 8-bit images.

CLIP models were trained on crops of 8-bit RGB images. Here the longest side is fitted to the input, so that no lung is
cut off, and the film's gray is copied to every channel with the model's own mean and standard deviation.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from models.cards.vlm_card import VlmCard
from models.classifier.letterbox import Letterbox
from models.radiograph import Radiograph

CHEXZERO_SIZE = 320  # pixels per side of the squares in which CheXzero stored its films


def box_film(radiograph: Radiograph, card: VlmCard) -> Tensor:
    """Return the film at the model's input size (size, size), in [0, 1], on the CPU."""
    film = torch.tensor(radiograph.pixels)
    if card.resize == "letterbox":
        return Letterbox.of(radiograph.pixels, card.size).fit(film)
    if card.resize == "longest":
        return Letterbox.of(radiograph.pixels, card.size).fit(film, "bicubic")
    square = Letterbox.of(radiograph.pixels, CHEXZERO_SIZE).fit(film, "bicubic")
    # CheXzero resized tensors, which torchvision did without antialiasing at the time.
    return functional.interpolate(square[None, None], size=(card.size, card.size), mode="bicubic")[0, 0]
