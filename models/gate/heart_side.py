"""Estimates on which side of the picture the heart lies, because a mirrored film misleads models and readers.

A small convolutional network reads the film and its mirror image; the difference of its outputs shows which one is
mirrored. It runs in double precision without torch, so that a cut means the same on every machine.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from PIL import Image
from safetensors.numpy import load

from models.array_types import Float32, Float64
from models.cards.card import UnusableModel
from models.gate.film_looks import without_borders

HEART_SIDE_WEIGHTS = Path(__file__).parents[1] / "weights" / "heart-side.safetensors"
# Made by models.training.shipping.heart_side.
WEIGHTS_SHA256 = "2bc53d5365f3293434eebdff6ee1882fb0adcda2f3ded126dcad8b5290832ac0"
INPUT_SIDE = 64  # pixels per side of the network's square input

MIRRORED_CAUTION = (
    "The film may be mirrored: the heart seems to be on the left of the picture. Compare the side marker. "
    "This warning also appears on 1 in 200 NIH films that are not mirrored."
)


def square_input(thumb: Float32) -> Float32:
    """Return a thumbnail (h, w) without borders, its longer side SIDE pixels, padded with air: (SIDE, SIDE).

    Both inner sides are even, so that a mirrored film gives exactly the mirrored square.
    """
    inner = without_borders(thumb)
    height, width = (max(2, 2 * round(length * INPUT_SIDE / max(inner.shape) / 2)) for length in inner.shape)
    small = Image.fromarray(np.ascontiguousarray(inner)).resize((width, height), Image.Resampling.BILINEAR)
    boxed = np.zeros((INPUT_SIDE, INPUT_SIDE), np.float32)
    top, left = (INPUT_SIDE - height) // 2, (INPUT_SIDE - width) // 2
    boxed[top : top + height, left : left + width] = np.asarray(small)
    return boxed


def heart_side(thumb: Float32) -> float:
    """Return the evidence that a film's thumbnail (h, w) shows the heart where it should be, on the picture's right.

    It is 0 for a film that equals its mirror image and changes sign when a film is mirrored. In training, it is the
    network's log odds between the film and its mirror image.
    """
    film = square_input(thumb).astype(np.float64)
    film = (film - film.mean()) / (film.std() + 1e-3)
    layers, _ = heart_side_network()
    as_given, mirrored = _outputs(np.stack([film, film[:, ::-1]])[..., None], layers)
    return float(as_given - mirrored)


def seems_mirrored(thumb: Float32, figures: dict[str, float]) -> bool:
    """Return whether the heart in a chest film's thumbnail (h, w) seems to be on the left of the picture."""
    _, cut = heart_side_network()
    found = heart_side(thumb)
    figures |= {"heart side": found, "heart side cut": cut}
    return found < cut


@lru_cache(maxsize=1)
def heart_side_network() -> tuple[tuple[tuple[Float64, Float64], ...], float]:
    """Return the layers (weights and biases) and the cut: 1 in 200 unmirrored NIH films is below it.

    Raises UnusableModel if the weights are missing or altered.
    """
    try:
        content = HEART_SIDE_WEIGHTS.read_bytes()
    except OSError as error:
        raise UnusableModel(
            f"{HEART_SIDE_WEIGHTS.name} is missing", "Restore it: the gate needs it to warn about mirrored films."
        ) from error
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise UnusableModel(f"{HEART_SIDE_WEIGHTS.name} is not the file that was shipped", "Restore it.")
    numbers = load(content)
    count = sum(name.endswith(".weight") for name in numbers)
    layers = tuple(
        (numbers[f"{layer}.weight"].astype(np.float64), numbers[f"{layer}.bias"].astype(np.float64))
        for layer in range(count)
    )
    return layers, float(numbers["cut"][0])


def _outputs(films: Float64, layers: tuple[tuple[Float64, Float64], ...]) -> Float64:
    """Return the network's output (n,) for films (n, SIDE, SIDE, 1): 3 x 3 convolutions, pooling after every second."""
    *convolutions, (last, offset) = layers
    for place, (weight, bias) in enumerate(convolutions):
        padded = np.pad(films, ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = sliding_window_view(padded, (3, 3), axis=(1, 2))  # (n, h, w, channels, 3, 3)
        films = np.maximum(np.tensordot(windows, weight, axes=((3, 4, 5), (1, 2, 3))) + bias, 0)
        if place % 2:
            n, height, width, channels = films.shape
            films = films.reshape(n, height // 2, 2, width // 2, 2, channels).max((2, 4))
    outputs: Float64 = (films.transpose(0, 3, 1, 2).reshape(len(films), -1) * last).sum(1) + offset
    return outputs
