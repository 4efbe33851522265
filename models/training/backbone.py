"""Any classifier of timm as a trainable backbone: one input channel, any input size, and its last feature map."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import timm
import torch
from torch import Tensor, nn

from models.training.nearest_name import nearest_words

# What timm's networks raise when an input does not fit them.
MISFITS = (RuntimeError, AssertionError, ValueError, TypeError, IndexError, AttributeError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class BackboneShape:
    """The channels and the side, in cells, of an architecture's last feature map at an input size."""

    channels: int
    side: int


def build_backbone(
    architecture: str, size: int, outputs: int, *, dropout: float = 0.0, drop_path: float = 0.0
) -> nn.Module:
    """Return timm's network with random weights for inputs (n, 1, size, size), and this many outputs.

    `drop_path` is left out where a network has none. Raises ValueError for an unknown architecture, or one that cannot
    be trained on films of this size.
    """
    known = _optional_arguments(architecture)
    given: dict[str, Any] = {"drop_path_rate": drop_path, "img_size": size}
    model: nn.Module = timm.create_model(
        architecture,
        in_chans=1,
        num_classes=outputs,
        drop_rate=dropout,
        **{name: value for name, value in given.items() if name in known},
    )
    return model


@lru_cache(maxsize=64)
def backbone_shape(architecture: str, size: int) -> BackboneShape:
    """Return the shape of the last feature map, found without computing anything. Raises as `build_backbone`."""
    with torch.device("meta"):
        body = build_backbone(architecture, size, 2).eval()
        films = torch.empty(2, 1, size, size)
        try:
            features = cast(Any, body).forward_features(films)
            logits = cast(Any, body).forward_head(features)
        except MISFITS as error:
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise ValueError(f"{architecture} cannot read films of {size} pixels: {first[:200]}") from error
    if not isinstance(logits, Tensor) or logits.shape != (2, 2):
        raise ValueError(f"{architecture} gives no single row of outputs for a film. Choose another architecture.")
    classifier_layers(body)
    maps = spatial_map(body, features)
    return BackboneShape(maps.shape[1], maps.shape[2])


def spatial_map(body: nn.Module, features: Tensor) -> Tensor:
    """Return a network's last features as maps (n, c, h, w), whatever their layout.

    Swin's are (n, h, w, c); those of vision transformers are tokens (n, prefix + h * w, c), whose prefix, such as a
    class token, is left out; pooled features (n, c) become one cell. Raises ValueError for any other layout.
    """
    if features.ndim == 4:
        return features.permute(0, 3, 1, 2) if getattr(body, "output_fmt", "NCHW") == "NHWC" else features
    if features.ndim == 2:
        return features[:, :, None, None]
    side = math.isqrt(features.shape[1]) if features.ndim == 3 else 0
    if not side:
        raise ValueError(f"{type(body).__name__} has no feature map. Choose another architecture.")
    return features[:, features.shape[1] - side * side :].transpose(1, 2).reshape(len(features), -1, side, side)


def classifier_layers(body: nn.Module) -> list[nn.Linear | nn.Conv2d]:
    """Return the last layers of a network, one for each of its classifiers: distilled networks average two.

    Raises ValueError if one has no bias, or is not a single linear layer.
    """
    found = cast(Any, body).get_classifier()
    layers = []
    for classifier in found if isinstance(found, tuple | list) else (found,):
        linear = [each for each in classifier.modules() if isinstance(each, nn.Linear | nn.Conv2d)]
        if len(linear) != 1 or linear[0].bias is None:
            raise ValueError(f"{type(body).__name__} does not end in one linear layer. Choose another architecture.")
        layers.append(linear[0])
    return layers


def classifier_prefixes(body: nn.Module) -> tuple[str, ...]:
    """Return what the names of the last layers' tensors start with, such as "head.fc."."""
    layers = classifier_layers(body)
    return tuple(f"{name}." for name, module in body.named_modules() if any(module is layer for layer in layers))


def last_stages(body: nn.Module, stages: int) -> list[str]:
    """Return the names of the parameters of a network's last stages, and of everything after them.

    Stages are those that timm names (`feature_info`); a vision transformer's are its blocks. Raises ValueError if there
    are fewer.
    """
    names = [name for name, _ in body.named_parameters()]
    ends = []
    for stage in (str(each["module"]) for each in getattr(body, "feature_info", ())):
        inside = [place for place, name in enumerate(names) if stage and name.startswith(f"{stage}.")]
        ends += [inside[-1]] if inside else []
    if stages > len(ends):
        raise ValueError(f"{type(body).__name__} has {len(ends)} stages, not {stages}. Train fewer, or all.")
    first = 0 if stages == len(ends) else ends[-stages - 1] + 1
    return names[first:]


@lru_cache(maxsize=64)
def _optional_arguments(architecture: str) -> frozenset[str]:
    """Return which arguments this architecture's class takes. Raises ValueError if timm does not know it."""
    if not timm.is_model(architecture):
        near = nearest_words(architecture, timm.list_models())
        raise ValueError(f"timm has no architecture {architecture!r}. {near}`timm.list_models()` lists them.")
    with torch.device("meta"):
        kind = type(timm.create_model(architecture, in_chans=1))
    return frozenset(_arguments(kind.__mro__))


def _arguments(kinds: Sequence[type]) -> list[str]:
    """Return the names of the arguments that classes pass on to one another, from the most derived one on."""
    found: list[str] = []
    for kind in kinds:
        if "__init__" not in vars(kind) or kind is nn.Module:
            continue
        signature = inspect.signature(vars(kind)["__init__"]).parameters.values()
        found += [each.name for each in signature if each.kind is not each.VAR_KEYWORD]
        if all(each.kind is not each.VAR_KEYWORD for each in signature):
            break
    return found
