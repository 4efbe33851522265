"""Reads the tensors of open_clip's files like a classifier's: no code is run, and no file can exhaust memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from models.cards.card import UnusableModel
from models.cards.network_pickle import MAX_TENSORS
from models.cards.plain_file import check_plain, weights_content
from models.cards.torch_file import read_torch_weights


def install_checkpoint_reader() -> None:
    """Make open_clip read all weights files with `read_checkpoint`."""
    from open_clip import factory

    factory.load_state_dict = read_checkpoint


def read_checkpoint(checkpoint_path: str, device: str = "cpu", weights_only: bool = True) -> dict[str, Tensor]:
    """Return a file's state dict; replaces open_clip's function with the same signature. Raises UnusableModel.

    A torch file is listed by the same child process as a classifier's; safetensors files are mapped into memory.
    """
    path = Path(checkpoint_path)
    if path.suffix == ".safetensors":
        state = _of_safetensors(path)
    else:
        state = read_torch_weights(path.name, weights_content(path), "state_dict").tensors
    return {name.removeprefix("module."): tensor.to(device) for name, tensor in state.items()}


def _of_safetensors(path: Path) -> dict[str, Tensor]:
    check_plain(path)
    try:
        with safe_open(path, framework="pt") as file:
            names: list[Any] = file.keys()
        if len(names) > MAX_TENSORS:
            raise UnusableModel(
                f"{path.name} is not a readable weights file",
                f"It names {len(names):,} tensors, too many for a network. Give the weights of a single network.",
            )
        state: dict[str, Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise UnusableModel(f"{path.name} is not a safetensors file", f"{error}. Restore the file.") from error
    return state
