"""The initial weights of a network joined with the one that outlines anatomy."""

from __future__ import annotations

from safetensors.torch import load_file
from torch import Tensor

from models.anatomy.outliner import ANATOMY_WEIGHTS
from models.classifier.joined_network import JOINED_ARCHITECTURE, OUTLINE_PART, TIMM_PART
from models.training.start import start_state


def nih_start_state(start: str, architecture: str) -> dict[str, Tensor]:
    """Return the tensors that an architecture starts with, `start` being that of its timm network.

    Raises as `models.training.start.start_state`.
    """
    if architecture != JOINED_ARCHITECTURE:
        return start_state(start, architecture)
    network = start_state(start, "tf_efficientnet_lite0")
    outlines = load_file(ANATOMY_WEIGHTS)
    return {f"{TIMM_PART}.{name}": tensor for name, tensor in network.items()} | {
        name: tensor for name, tensor in outlines.items() if name.startswith(f"{OUTLINE_PART}.")
    }
