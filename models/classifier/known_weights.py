"""What is known of a classifier's weights: said by somebody, read off their shapes, or timm's for the architecture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import timm
from timm.models import PretrainedCfg
from torch import Tensor

from models.cards.card import MissingArchitecture, UnusableModel
from models.classifier.architectures import USUAL, fitting
from models.classifier.network import outputs_in
from models.classifier.timm_form import (
    OLD_HIDDEN,
    in_timms_form,
    no_hidden_layer,
    no_last_layer,
    shapes_of,
    told_by_names,
    with_usual_norm,
)

MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody said of a model; None where nobody did. `by` says who: it stands in sentences."""

    architecture: str | None = None
    size: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    in_chans: int | None = None
    by: str = "you"


@dataclass(frozen=True, slots=True)
class KnownWeights:
    """Enough to build and feed the network; `guessed` says in sentences what nobody said."""

    architecture: str
    outputs: int
    in_chans: int
    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    guessed: tuple[str, ...]
    arguments: Mapping[str, object]  # of timm's network, which the names of the tensors tell


def known_weights(name: str, state: Mapping[str, Tensor], said: Said) -> KnownWeights:
    """What is known of the weights `state` of the file or model `name`.

    Raises UnusableModel where the architecture cannot be told, or there is no last layer.
    """
    if OLD_HIDDEN in state:
        raise no_hidden_layer(name)
    architecture, guessed = (said.architecture, []) if said.architecture else _detected(name, state)
    if not timm.is_model(architecture):
        raise UnusableModel(
            f"timm has no architecture {architecture!r}",
            f"Correct it; by its shapes {name} may be {_listed(fitting(shapes_of(state)))}.",
        )
    state = in_timms_form(architecture, state)
    outputs = outputs_in(architecture, state)
    if outputs is None:
        raise no_last_layer(name, architecture, state)
    arguments, of_names = told_by_names(architecture, state)
    in_chans = said.in_chans or _channels(architecture, state)
    size, of_size = (said.size, []) if said.size else _size(architecture, state)
    mean, std, of_levels = _levels(architecture, in_chans, said)
    sentences = (*guessed, *of_names, *of_size, *of_levels)
    return KnownWeights(architecture, outputs, in_chans, size, mean, std, sentences, arguments)


def _detected(name: str, state: Mapping[str, Tensor]) -> tuple[str, list[str]]:
    shapes = shapes_of(state)
    found = fitting(shapes) or fitting(with_usual_norm(shapes))
    if not found:
        raise MissingArchitecture(
            f"The architecture of {name} is not known",
            "Its tensors fit none of timm's by name and shape. Name the one it was trained as, as timm calls it "
            "(architecture=resnet50); weights of another library's network cannot be read.",
        )
    if len(found) > 1 and not USUAL.fullmatch(found[0]):
        untold = MissingArchitecture(
            f"The architecture of {name} cannot be told by its shapes",
            f"It may be {_listed(found)}, which compute other things with the same tensors. "
            "Name the one it was trained as.",
        )
        untold.fitting = found
        raise untold
    others = f"; {_listed(found[1:])} would fit too" if len(found) > 1 else ""
    return found[0], [f"Architecture {found[0]}, by the shapes of its tensors{others}."]


def _size(architecture: str, state: Mapping[str, Tensor]) -> tuple[int, list[str]]:
    position, patch = state.get("pos_embed"), state.get("patch_embed.proj.weight")
    if position is not None and patch is not None and position.ndim == 3 and patch.ndim == 4:
        cells = next((math.isqrt(n) for n in range(position.shape[1], position.shape[1] - 6, -1) if _square(n)), 0)
        if cells:
            return cells * patch.shape[-1], [f"Input of {cells * patch.shape[-1]} px, by its position embedding."]
    size = int(_usual(architecture).input_size[-1])
    return size, [f"Input of {size} px, timm's for {architecture}."]


def _levels(architecture: str, in_chans: int, said: Said) -> tuple[tuple[float, ...], tuple[float, ...], list[str]]:
    """Mean and standard deviation for each channel."""
    usual, guessed = _usual(architecture), []
    levels = []
    for word, given, theirs in (("mean", said.mean, usual.mean), ("std", said.std, usual.std)):
        values = tuple(float(each) for each in (given or theirs))
        if given is not None and len(values) not in (1, in_chans):
            raise UnusableModel(
                f"The {word} has {len(values)} numbers, and the input {_plural(in_chans)}",
                "Give one number, or one for each channel.",
            )
        if len(values) != in_chans:
            values = (round(sum(values) / len(values), 6),) * in_chans
        if given is None:
            figures = ", ".join(f"{each:g}" for each in dict.fromkeys(values))
            guessed.append(f"{word} {figures} of pixels from 0 to 1, timm's for {architecture}.")
        levels.append(values)
    return levels[0], levels[1], guessed


def _channels(architecture: str, state: Mapping[str, Tensor]) -> int:
    first = _usual(architecture).first_conv
    weight = state.get(f"{first}.weight") if isinstance(first, str) else None
    return int(weight.shape[1]) if weight is not None and weight.ndim == 4 else 3


def _usual(architecture: str) -> PretrainedCfg:
    """What timm says of the architecture's own weights; ImageNet's where it says nothing."""
    return timm.get_pretrained_cfg(architecture) or PretrainedCfg()


def _plural(channels: int) -> str:
    return "1 channel" if channels == 1 else f"{channels} channels"


def _square(number: int) -> bool:
    return number > 1 and math.isqrt(number) ** 2 == number


def _listed(names: tuple[str, ...]) -> str:
    more = f" or one of {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return (", ".join(names[:MOST_NAMED]) + more) or "none of timm's"
