"""A network whose last layer reads the features of two: of a timm network, and of the one that outlines anatomy.

The two were taught different things, findings and anatomy, and rank findings on real films better together than each
alone. timm builds it by name, like any of its own networks.
"""

from __future__ import annotations

from typing import Any, cast

import timm
import torch
from timm.models import generate_default_cfgs, register_model
from torch import Tensor, nn
from torch.nn import functional

from models.anatomy.network import INPUT_SIDE, WIDTHS, OutlineNetwork, standardize

JOINED_ARCHITECTURE = "lite0_with_outlines"
TIMM_PART, OUTLINE_PART = "network", "down"  # what the names of the two networks' tensors start with
_TIMM_SIDE = 160  # pixels per side of the timm network's input where the film has INPUT_SIDE
default_cfgs = generate_default_cfgs(
    {JOINED_ARCHITECTURE: {"classifier": "classifier", "first_conv": f"{TIMM_PART}.conv_stem", "num_classes": 1000}}
)


class JoinedNetwork(nn.Module):
    """A convolutional timm network and the downward half of the outline network, before one linear layer."""

    def __init__(self, network: nn.Module, outputs: int, drop_rate: float = 0.0) -> None:
        """`network` has no last layer; films (n, 1, h, w) are reduced for it by as much as for its own training."""
        super().__init__()
        self.network = cast(Any, network)  # timm's interface is a convention, not a type
        self.down = OutlineNetwork().down
        self.drop_rate = drop_rate
        self.num_features = self.head_hidden_size = int(self.network.num_features) + 2 * sum(WIDTHS)
        self.classifier = nn.Linear(self.num_features, outputs)
        stages = self.network.feature_info
        self.feature_info = [{**stage, "module": f"{TIMM_PART}.{stage['module']}"} for stage in stages]

    def forward_features(self, films: Tensor) -> Tensor:
        """Return maps (n, c, h, w): the timm network's last, then what the outline network saw, which has no place."""
        side = round(films.shape[-1] * _TIMM_SIDE / INPUT_SIDE)
        reduced = functional.interpolate(films, size=(side, side), mode="bilinear", antialias=True)
        maps: Tensor = self.network.forward_features(reduced)
        seen = self.outline_features(films)[:, :, None, None]
        return torch.cat([maps, seen.expand(-1, -1, *maps.shape[-2:])], 1)

    def outline_features(self, films: Tensor) -> Tensor:
        """Return the mean and the standard deviation of each channel of the outline network's downward half: (n, d)."""
        sized = functional.interpolate(films, size=(INPUT_SIDE, INPUT_SIDE), mode="bilinear", antialias=True)
        maps, found = standardize(sized), []
        for down in self.down:
            maps = down(maps)
            found += [maps.mean((2, 3)), maps.flatten(2).std(2, correction=0)]
        return torch.cat(found, 1)

    def forward_head(self, maps: Tensor, pre_logits: bool = False) -> Tensor:
        """Return the logits of `forward_features`; with `pre_logits`, what the last layer reads."""
        pooled = functional.dropout(maps.mean((2, 3)), self.drop_rate, self.training)
        answer: Tensor = pooled if pre_logits else self.classifier(pooled)
        return answer

    def forward(self, films: Tensor) -> Tensor:
        """Return logits (n, outputs) of films (n, 1, h, w)."""
        return self.forward_head(self.forward_features(films))

    def get_classifier(self) -> nn.Module:
        """Return the last layer, as timm's networks do."""
        return self.classifier


@register_model
def lite0_with_outlines(pretrained: bool = False, num_classes: int = 1000, **arguments: Any) -> JoinedNetwork:  # noqa: ANN401 - timm's
    """Build EfficientNet-Lite0 joined with the outline network, for films of one channel; nothing is `pretrained`."""
    drop_rate = float(arguments.pop("drop_rate", 0.0))
    known = {name: arguments[name] for name in ("in_chans", "drop_path_rate") if name in arguments}
    return JoinedNetwork(timm.create_model("tf_efficientnet_lite0", num_classes=0, **known), num_classes, drop_rate)
