"""Converts weights to the form that timm expects for their architecture: its names, and a single last layer."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from itertools import pairwise

import timm
import torch
from torch import Tensor

from models.cards.card import UnusableModel
from models.cards.foreign_weights import SCORES_INSTEAD
from models.cards.state_names import HEAD_NAMES
from models.classifier.architectures import matching_architectures
from models.classifier.efficientformer_names import ARCHITECTURES, timm_efficientformer

# Tensors that timm's filters drop and that do not affect scores.
IGNORED_TENSORS = re.compile(r"relative_position_index$|attn_mask$|mask_token$|num_batches_tracked$")
CONVNEXT_HIDDEN = "head.pre_logits.fc.weight"  # optional layer of ConvNeXt before the last one
OLD_VIT_HIDDEN = "pre_logits.fc.weight"  # the same layer in a vision transformer before timm 0.6


def to_timm_form(architecture: str, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights under timm's names, with a head of one or more linear layers merged into timm's last layer."""
    named = (
        dict(state)
        if architecture in matching_architectures(tensor_shapes(state))
        else _apply_timm_filter(architecture, state)
    )
    head = last_layer_name(architecture)
    layers = _head_layers(named)
    if head is None or f"{head}.weight" in named or not layers:
        return named
    if not _follow_directly(layers) or _others_in_head(named, layers):
        return named
    weight, bias = _product([(named[f"{layer}.weight"], named.get(f"{layer}.bias")) for layer in layers])
    body = {name: tensor for name, tensor in named.items() if name.rpartition(".")[0] not in layers}
    return body | {f"{head}.weight": weight, f"{head}.bias": bias}


def arguments_from_names(architecture: str, state: Mapping[str, Tensor]) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return arguments for timm's network that the tensor names imply, and sentences that explain them."""
    if CONVNEXT_HIDDEN in state and architecture.startswith("convnext"):
        width = len(state[CONVNEXT_HIDDEN])
        return {"head_hidden_size": width}, (f"A layer of {width} before the last one, judging by its name.",)
    shapes = tensor_shapes(state)
    if architecture in matching_architectures(shapes) or architecture not in matching_architectures(
        with_class_token_norm(shapes)
    ):
        return {}, ()
    arguments: dict[str, object] = {"global_pool": "avg"}
    if "cls_token" not in state:
        arguments["class_token"] = False
    return arguments, ("Patches are averaged (global_pool=avg), because there is an fc_norm and no norm.",)


def with_class_token_norm(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Return a patch-averaging vision transformer's shapes in the form of one that reads its class token."""
    if "fc_norm.weight" not in shapes or "norm.weight" in shapes:
        return dict(shapes)
    token = {"cls_token": (1, 1, *shapes["fc_norm.weight"])}
    return token | {name.replace("fc_norm.", "norm."): shape for name, shape in shapes.items()}


def missing_last_layer(name: str, architecture: str, state: Mapping[str, Tensor]) -> UnusableModel:
    """Return the refusal of weights without a usable last layer."""
    layers = _head_layers(state)
    if not layers:
        return UnusableModel(
            f"{name} gives no scores: it has no last layer",
            f"{architecture} ends in {last_layer_name(architecture)}.weight, which is missing. Use weights trained to "
            "classify, not a bare backbone.",
        )
    found = ", ".join(f"{layer} ({len(state[f'{layer}.weight'])} outputs)" for layer in layers[:4])
    return UnusableModel(
        f"The tensors of {name} do not determine its head",
        f"{architecture} ends in one layer, this file in {found}. Names and shapes do not show what is between or "
        f"around them, such as ReLU, GELU or a norm, and a wrong guess would give wrong scores. {SCORES_INSTEAD}",
    )


def unsupported_hidden_layer(name: str) -> UnusableModel:
    """Return the refusal of a vision transformer before timm 0.6, which has a layer that timm has since removed."""
    return UnusableModel(
        f"{name} has a layer that timm's networks no longer have",
        f"It is {OLD_VIT_HIDDEN}, from a vision transformer before timm 0.6. Without it the scores would differ. "
        f"{SCORES_INSTEAD}",
    )


def tensor_shapes(state: Mapping[str, Tensor]) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor."""
    return {name: tuple(tensor.shape) for name, tensor in state.items()}


def last_layer_name(architecture: str) -> str | None:
    """Return the name of an architecture's last layer; None if timm names none or several."""
    described = timm.get_pretrained_cfg(architecture)
    return described.classifier if described and isinstance(described.classifier, str) else None


def _apply_timm_filter(architecture: str, state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Apply timm's own filter for older names; return the state unchanged if that would lose or resize a tensor."""
    if architecture.startswith(ARCHITECTURES):
        return timm_efficientformer(state)
    module = sys.modules[timm.model_entrypoint(architecture).__module__]
    filtered = getattr(module, "checkpoint_filter_fn", None)
    if filtered is None:
        return dict(state)
    try:
        with torch.device("meta"):
            model = timm.create_model(architecture)
        found: dict[str, Tensor] = filtered(dict(state), model)
    except (RuntimeError, ValueError, KeyError, TypeError, AttributeError, AssertionError, IndexError):
        return dict(state)  # the filter expects weights in another form
    return found if _count_numbers(found) == _count_numbers(state) else dict(state)


def _count_numbers(state: Mapping[str, Tensor]) -> int:
    return sum(tensor.numel() for name, tensor in state.items() if not IGNORED_TENSORS.search(name))


def _head_layers(state: Mapping[str, Tensor]) -> list[str]:
    """Return the names of a head's linear layers, in order."""
    named = (name.rpartition(".") for name, tensor in state.items() if tensor.ndim == 2)
    return [layer for layer, _, last in named if last == "weight" and layer.split(".")[0] in HEAD_NAMES]


def _follow_directly(layers: list[str]) -> bool:
    """Return whether no other module can be between the layers: only one layer, or neighbors in one sequence."""
    parts = [layer.rpartition(".") for layer in layers]
    if len(layers) > 1 and not all(last.isdecimal() for _, _, last in parts):
        return False
    return all(one[0] == other[0] and int(other[2]) == int(one[2]) + 1 for one, other in pairwise(parts))


def _others_in_head(state: Mapping[str, Tensor], layers: list[str]) -> bool:
    """Return whether a head has modules other than these layers, such as a norm."""
    known = {f"{layer}.{kind}" for layer in layers for kind in ("weight", "bias")}
    return any(name.split(".")[0] in HEAD_NAMES and name not in known for name in state)


def _product(layers: list[tuple[Tensor, Tensor | None]]) -> tuple[Tensor, Tensor]:
    """Return weight and bias of the single layer that equals these linear layers in sequence."""
    (weight, bias), *others = [(each.float(), torch.zeros(len(each)) if of is None else of) for each, of in layers]
    for next_weight, next_bias in others:
        weight, bias = next_weight @ weight, next_weight @ bias + next_bias
    return weight, bias
