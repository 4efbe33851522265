"""On which side the heart lies: a mirrored film misleads the model, and whoever looks for the heart on the left.

A small convolutional network looks at the film and at its mirror image; what it finds in one and not in the other says
which way round the film is. It runs in double precision without torch, so that a cut means the same everywhere.
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

WEIGHTS = Path(__file__).parents[1] / "weights" / "heart-side.safetensors"
SHA256 = "2bc53d5365f3293434eebdff6ee1882fb0adcda2f3ded126dcad8b5290832ac0"  # by models.training.shipping.heart_side
SIDE = 64  # pixels of the square the network looks at

MIRRORED = (
    "The film may be mirrored: the heart seems to lie on the left of the picture. Compare the side marker. "
    "This is also said of 1 in 200 NIH films that are not mirrored."
)


def square(thumb: Float32) -> Float32:
    """A thumbnail (h, w) without its borders, its longer side SIDE pixels, air around: (SIDE, SIDE).

    Both sides are even, so that the mirror image of a film has the mirror image of its square.
    """
    inner = without_borders(thumb)
    height, width = (max(2, 2 * round(length * SIDE / max(inner.shape) / 2)) for length in inner.shape)
    small = Image.fromarray(np.ascontiguousarray(inner)).resize((width, height), Image.Resampling.BILINEAR)
    boxed = np.zeros((SIDE, SIDE), np.float32)
    top, left = (SIDE - height) // 2, (SIDE - width) // 2
    boxed[top : top + height, left : left + width] = np.asarray(small)
    return boxed


def heart_side(thumb: Float32) -> float:
    """How much a film's thumbnail (h, w) looks like one with the heart on the right of the picture, where it belongs.

    It is 0 for a film that is its own mirror image, and the opposite for the mirror image: log odds of the network
    between the two, in training.
    """
    film = square(thumb).astype(np.float64)
    film = (film - film.mean()) / (film.std() + 1e-3)
    layers, _ = network()
    shown, mirrored = _seen(np.stack([film, film[:, ::-1]])[..., None], layers)
    return float(shown - mirrored)


def seems_mirrored(thumb: Float32, figures: dict[str, float]) -> bool:
    """Whether the heart of a chest film's thumbnail (h, w) seems to lie on the left of the picture."""
    _, cut = network()
    found = heart_side(thumb)
    figures |= {"heart side": found, "heart side cut": cut}
    return found < cut


@lru_cache(maxsize=1)
def network() -> tuple[tuple[tuple[Float64, Float64], ...], float]:
    """The layers, each its weights and biases, and the cut: 1 in 200 NIH films that are not mirrored fall below it.

    Raises UnusableModel where the weights are missing or other ones.
    """
    try:
        content = WEIGHTS.read_bytes()
    except OSError as error:
        raise UnusableModel(
            f"There is no {WEIGHTS.name}", "Restore it: the gate warns of mirrored films by it."
        ) from error
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise UnusableModel(f"{WEIGHTS.name} is not the file that was shipped", "Restore it.")
    numbers = load(content)
    count = sum(name.endswith(".weight") for name in numbers)
    layers = tuple(
        (numbers[f"{layer}.weight"].astype(np.float64), numbers[f"{layer}.bias"].astype(np.float64))
        for layer in range(count)
    )
    return layers, float(numbers["cut"][0])


def _seen(films: Float64, layers: tuple[tuple[Float64, Float64], ...]) -> Float64:
    """What the network makes of films (n, SIDE, SIDE, 1): (n,). Pairs of 3 x 3 convolutions, each pair then halved."""
    *convolutions, (last, offset) = layers
    for place, (weight, bias) in enumerate(convolutions):
        padded = np.pad(films, ((0, 0), (1, 1), (1, 1), (0, 0)))
        windows = sliding_window_view(padded, (3, 3), axis=(1, 2))  # (n, h, w, channels, 3, 3)
        films = np.maximum(np.tensordot(windows, weight, axes=((3, 4, 5), (1, 2, 3))) + bias, 0)
        if place % 2:
            n, height, width, channels = films.shape
            films = films.reshape(n, height // 2, 2, width // 2, 2, channels).max((2, 4))
    seen: Float64 = (films.transpose(0, 3, 1, 2).reshape(len(films), -1) * last).sum(1) + offset
    return seen
