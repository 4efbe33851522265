"""The tensors of open_clip's files, read as a classifier's are: nothing in a file is run, and none can fill memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from models.cards.card import UnusableModel
from models.cards.network_pickle import MOST_TENSORS
from models.cards.plain_file import check_plain, weights_content
from models.cards.torch_file import torch_weights


def read_by_this_project() -> None:
    """From now on open_clip reads the files of its weights by `checkpoint`."""
    from open_clip import factory

    factory.load_state_dict = checkpoint


def checkpoint(checkpoint_path: str, device: str = "cpu", weights_only: bool = True) -> dict[str, Tensor]:
    """The state dict of a file, as open_clip's function of these arguments gives it. Raises UnusableModel.

    A torch file is listed by the process that lists a classifier's, safetensors are mapped into memory.
    """
    path = Path(checkpoint_path)
    if path.suffix == ".safetensors":
        state = _of_safetensors(path)
    else:
        state = torch_weights(path.name, weights_content(path), "state_dict").tensors
    return {name.removeprefix("module."): tensor.to(device) for name, tensor in state.items()}


def _of_safetensors(path: Path) -> dict[str, Tensor]:
    check_plain(path)
    try:
        with safe_open(path, framework="pt") as file:
            names: list[Any] = file.keys()
        if len(names) > MOST_TENSORS:
            raise UnusableModel(
                f"{path.name} is no weights file that can be read here",
                f"It names {len(names):,} tensors, more than a network has. Give the weights of one network.",
            )
        state: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise UnusableModel(f"{path.name} is not a safetensors file", f"{error}. Restore the file.") from error
    return state
