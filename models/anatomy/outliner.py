"""Draws the outlines of a film's anatomy with the network."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load

from models.anatomy.network import INPUT_SIDE, OutlineNetwork
from models.anatomy.outlines import Anatomy
from models.anatomy.plausible import what_is_unclear, what_is_wrong
from models.anatomy.structures import STRUCTURES
from models.array_types import Bools
from models.cards.card import UnusableModel
from models.classifier.letterbox import Letterbox
from models.films.film import Radiograph

ANATOMY_WEIGHTS = Path(__file__).parents[1] / "weights" / "anatomy.safetensors"
# Made by models.training.shipping.anatomy.
WEIGHTS_SHA256 = "ecc295c3c940091459acbd7701a1e8f487714a04f495aa12ea18ba98703c5093"
LONGEST = 512  # pixels of the longer side of the masks
_IN_PARTS = ("ribs",)  # structures of more than one part


@torch.inference_mode()
def outlined(network: OutlineNetwork, radiograph: Radiograph) -> Anatomy:
    """Return the outlines that a network draws on a film."""
    box = Letterbox.of(radiograph.pixels, INPUT_SIDE)
    film = box.fit(torch.from_numpy(radiograph.pixels.copy()))
    odds = network(film[None, None])[0]
    drawn = (box.restore(odds, longest=LONGEST) > 0).numpy()
    shares = dict(zip(STRUCTURES, odds.sigmoid().numpy(), strict=True))
    masks = {
        name: mask if name in _IN_PARTS else _largest_part(mask) for name, mask in zip(STRUCTURES, drawn, strict=True)
    }
    return Anatomy(masks, what_is_wrong(masks) or what_is_unclear(shares))


@lru_cache(maxsize=1)
def outline_network() -> OutlineNetwork:
    """Return the shipped network. Raises UnusableModel."""
    try:
        content = ANATOMY_WEIGHTS.read_bytes()
    except OSError as error:
        raise UnusableModel(f"{ANATOMY_WEIGHTS.name} is missing", "Restore it to see anatomy on films.") from error
    if hashlib.sha256(content).hexdigest() != WEIGHTS_SHA256:
        raise UnusableModel(f"{ANATOMY_WEIGHTS.name} is not the file that was shipped", "Restore it.")
    network = OutlineNetwork()
    network.load_state_dict(load(content), strict=False)  # batch norms' counters are not stored
    return network.eval().requires_grad_(False)


def _largest_part(mask: Bools) -> Bools:
    from scipy.ndimage import label  # slow to import, and not needed until a film is outlined

    parts, count = label(mask)
    if count < 2:
        return mask
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    return np.asarray(parts == sizes.argmax(), bool)
