"""Converts names in a state dict to timm's by removing what a trainer added around the network."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

TensorType = TypeVar("TensorType")

# Prefixes that trainers, DataParallel, Lightning and torch.compile put before every name.
WRAPPER_PREFIXES = frozenset(
    "module model net network backbone encoder classifier student teacher _orig_mod densenet121 densenet169 resnet "
    "resnet50 base_model feature_extractor".split()
)
HEAD_NAMES = frozenset({"classifier", "fc", "head"})  # stored next to the backbone by some trainers
MAX_PREFIXES = 20  # nested
MIN_PREFIX_SHARE = 0.9  # fraction of names that must share a known prefix; the rest belong to a loss or metric
IGNORED_NAMES = frozenset({"op_threshs"})  # torchxrayvision's buffer of operating points
_OLD_DENSENET = re.compile(r"(denselayer\d+\.(?:norm|conv))\.([12])\.")  # before torch 0.4: norm.1, conv.2
# In EfficientFormer's code, this stem is beside a list of stages called `network`, which is then no wrapper.
EFFICIENTFORMER_STEM = "patch_embed.0.weight"
OLD_SWIN = "layers.0.downsample.reduction.weight"  # Swin before timm 0.9, and in its authors' code
_STAGE = re.compile(r"layers\.(\d+)\.downsample")
_HEAD_IN_SEQUENCE = re.compile(r"^(classifier|fc|head)\.(\d+)\.(weight|bias)$")


# Names of an exponential moving average stored next to the network in one state dict.
AVERAGE_NAMES = frozenset({"ema_model", "model_ema", "ema", "averaged_model", "module_ema"})


@dataclass(frozen=True, slots=True)
class NamedNetwork(Generic[TensorType]):
    """The tensors of a state dict whose names share the first part."""

    name: str
    tensors: dict[str, TensorType]


def networks_in(state: Mapping[str, TensorType], wanted: str = "") -> list[NamedNetwork[TensorType]]:
    """Return the whole state or, if it holds an average and the network it averages, both of these, `wanted` first."""
    averaged = next(iter(AVERAGE_NAMES & _firsts(state)), None)
    if averaged is not None:
        inside = {name: value for name, value in state.items() if name.startswith(f"{averaged}.")}
        beside = {name: value for name, value in state.items() if name not in inside}
        first = Counter(name.split(".")[0] for name in beside).most_common(1)
        if first and unwrap_names(inside).keys() <= unwrap_names(beside).keys():
            both = [NamedNetwork(averaged, inside), NamedNetwork(first[0][0], beside)]
            return sorted(both, key=lambda each: each.name != wanted)
    return [NamedNetwork("", dict(state))]


def unwrap_names(state: Mapping[str, TensorType]) -> dict[str, TensorType]:
    """Return the state under the network's own names, without tensors of other modules, such as a loss.

    A prefix is removed if all names share it, or if it is a known one and nearly all do.
    """
    found = {name: value for name, value in state.items() if name not in IGNORED_NAMES}
    for _ in range(MAX_PREFIXES):
        if not (prefix := _shared(found)):
            break
        inside = {name.removeprefix(prefix): value for name, value in found.items() if name.startswith(prefix)}
        beside = {name: value for name, value in found.items() if name.split(".")[0] in HEAD_NAMES - _firsts(inside)}
        found = inside | beside
    found = {_OLD_DENSENET.sub(r"\1\2.", name): value for name, value in found.items()}
    if OLD_SWIN in found:
        found = {_new_swin(name): value for name, value in found.items() if not name.endswith(("_index", "attn_mask"))}
    firsts = Counter(name.split(".")[0] for name in found)
    layers = Counter(name.rpartition(".")[0] for name in found)
    return {
        match[1] + "." + match[3]
        if (match := _HEAD_IN_SEQUENCE.match(name)) and firsts[match[1]] == layers[f"{match[1]}.{match[2]}"] == 2
        else name: value
        for name, value in found.items()
    }


def _new_swin(name: str) -> str:
    """Return the name in timm 0.9 and later, where a stage starts with its downsampling, as timm's own filter does."""
    name = _STAGE.sub(lambda stage: f"layers.{int(stage[1]) + 1}.downsample", name)
    return name.replace("head.", "head.fc.", 1) if name.startswith("head.") else name


def _firsts(state: Mapping[str, object]) -> set[str]:
    return {name.split(".")[0] for name in state}


def _shared(state: Mapping[str, object]) -> str | None:
    firsts = Counter(name.split(".")[0] for name in state if "." in name)
    if not firsts:
        return None
    first, count = firsts.most_common(1)[0]
    if first == "network" and EFFICIENTFORMER_STEM in state:
        return None
    whole = count == len(state)
    known = first in WRAPPER_PREFIXES and count >= MIN_PREFIX_SHARE * len(state)
    return f"{first}." if whole or known else None
