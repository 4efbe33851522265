"""Collects facts about a classifier's weights: stated by the user, implied by tensor shapes, or timm's defaults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import timm
from timm.models import PretrainedCfg
from torch import Tensor

from models.cards.card import MissingArchitecture, UnusableModel
from models.classifier.architectures import PREFERRED_ARCHITECTURES, matching_architectures
from models.classifier.network import outputs_in
from models.classifier.timm_form import (
    OLD_VIT_HIDDEN,
    arguments_from_names,
    missing_last_layer,
    tensor_shapes,
    to_timm_form,
    unsupported_hidden_layer,
    with_class_token_norm,
)

MAX_LISTED = 12


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """Facts stated about a model, each None if unstated. `by` names who stated them, for use in sentences."""

    architecture: str | None = None
    size: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    in_chans: int | None = None
    by: str = "you"


@dataclass(frozen=True, slots=True)
class KnownWeights:
    """Everything needed to build the network and feed it; `guessed` lists the assumptions as sentences."""

    architecture: str
    outputs: int
    in_chans: int
    size: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    guessed: tuple[str, ...]
    arguments: Mapping[str, object]  # arguments of timm's network that the tensor names imply


def known_weights(name: str, state: Mapping[str, Tensor], stated: StatedFacts) -> KnownWeights:
    """Return what is known about the weights `state` of the file or model `name`.

    Raises UnusableModel if the architecture cannot be determined or there is no last layer.
    """
    if OLD_VIT_HIDDEN in state:
        raise unsupported_hidden_layer(name)
    architecture, guessed = (stated.architecture, []) if stated.architecture else _detected(name, state)
    if not timm.is_model(architecture):
        raise UnusableModel(
            f"timm has no architecture {architecture!r}",
            f"Correct it; by its shapes, {name} may be {_listed(matching_architectures(tensor_shapes(state)))}.",
        )
    state = to_timm_form(architecture, state)
    outputs = outputs_in(architecture, state)
    if outputs is None:
        raise missing_last_layer(name, architecture, state)
    arguments, name_notes = arguments_from_names(architecture, state)
    in_chans = stated.in_chans or _channels(architecture, state)
    size, size_notes = (stated.size, []) if stated.size else _size(architecture, state)
    mean, std, level_notes = _levels(architecture, in_chans, stated)
    sentences = (*guessed, *name_notes, *size_notes, *level_notes)
    return KnownWeights(architecture, outputs, in_chans, size, mean, std, sentences, arguments)


def _detected(name: str, state: Mapping[str, Tensor]) -> tuple[str, list[str]]:
    shapes = tensor_shapes(state)
    found = matching_architectures(shapes) or matching_architectures(with_class_token_norm(shapes))
    if not found:
        raise MissingArchitecture(
            f"The architecture of {name} is unknown",
            "Its tensors match no timm architecture by name and shape. State the one it was trained as, by timm's name "
            "(architecture=resnet50); weights of another library's network cannot be loaded.",
        )
    if len(found) > 1 and not PREFERRED_ARCHITECTURES.fullmatch(found[0]):
        ambiguous = MissingArchitecture(
            f"The shapes of {name} do not determine its architecture",
            f"It may be {_listed(found)}, which compute different things with the same tensors. "
            "State the one it was trained as.",
        )
        ambiguous.fitting = found
        raise ambiguous
    others = f"; {_listed(found[1:])} would also fit" if len(found) > 1 else ""
    return found[0], [f"Architecture {found[0]}, judging by its tensor shapes{others}."]


def _size(architecture: str, state: Mapping[str, Tensor]) -> tuple[int, list[str]]:
    position, patch = state.get("pos_embed"), state.get("patch_embed.proj.weight")
    if position is not None and patch is not None and position.ndim == 3 and patch.ndim == 4:
        cells = next((math.isqrt(n) for n in range(position.shape[1], position.shape[1] - 6, -1) if _square(n)), 0)
        if cells:
            return cells * patch.shape[-1], [f"Input of {cells * patch.shape[-1]} px, from its position embedding."]
    size = int(_timm_config(architecture).input_size[-1])
    return size, [f"Input of {size} px, timm's default for {architecture}."]


def _levels(
    architecture: str, in_chans: int, stated: StatedFacts
) -> tuple[tuple[float, ...], tuple[float, ...], list[str]]:
    """Return mean and standard deviation per channel, and sentences about assumptions."""
    config, guessed = _timm_config(architecture), []
    levels = []
    for word, given, default in (("mean", stated.mean, config.mean), ("std", stated.std, config.std)):
        values = tuple(float(each) for each in (given or default))
        if given is not None and len(values) not in (1, in_chans):
            raise UnusableModel(
                f"The {word} has {len(values)} numbers, but the input has {_plural(in_chans)}",
                "Give one number, or one per channel.",
            )
        if len(values) != in_chans:
            values = (round(sum(values) / len(values), 6),) * in_chans
        if given is None:
            figures = ", ".join(f"{each:g}" for each in dict.fromkeys(values))
            guessed.append(f"{word} {figures} for pixels from 0 to 1, timm's default for {architecture}.")
        levels.append(values)
    return levels[0], levels[1], guessed


def _channels(architecture: str, state: Mapping[str, Tensor]) -> int:
    first = _timm_config(architecture).first_conv
    weight = state.get(f"{first}.weight") if isinstance(first, str) else None
    return int(weight.shape[1]) if weight is not None and weight.ndim == 4 else 3


def _timm_config(architecture: str) -> PretrainedCfg:
    """Return timm's facts about the architecture's own weights; ImageNet's facts if timm has none."""
    return timm.get_pretrained_cfg(architecture) or PretrainedCfg()


def _plural(channels: int) -> str:
    return "1 channel" if channels == 1 else f"{channels} channels"


def _square(number: int) -> bool:
    return number > 1 and math.isqrt(number) ** 2 == number


def _listed(names: tuple[str, ...]) -> str:
    more = f" or one of {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return (", ".join(names[:MAX_LISTED]) + more) or "none of timm's"
