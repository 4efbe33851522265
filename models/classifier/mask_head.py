"""A second head that localizes each finding, trained on masks in addition to the classification head."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

INITIAL_SCALE = 0.1


class MaskHead(nn.Module):
    """Gives the log odds that each finding covers each cell of a film, from a network's last and finer feature maps."""

    def __init__(self, fine: int, coarse: int, findings: int) -> None:
        """`fine` and `coarse` are the channel counts of the finer and the last feature maps."""
        super().__init__()
        self.fine = nn.Conv2d(fine, findings, 1)
        self.coarse = nn.Conv2d(coarse, findings, 1)

    @classmethod
    def of(cls, body: nn.Module, findings: int, share: float = 0.01, coarse: int | None = None) -> MaskHead:
        """Return a new head for a timm network; initially each finding's mean mask covers `share` of a film.

        `coarse` are the channels of its last feature map, by default as many as its last layer reads. Raises ValueError
        for a network without feature maps of two scales.
        """
        stage = cast(Any, body).feature_info[fine_stage(body)]
        head = cls(int(stage["num_chs"]), coarse or int(cast(Any, body).head_hidden_size), findings)
        with torch.no_grad():
            for layer, bias in ((head.fine, math.log(share)), (head.coarse, 0.0)):
                layer.weight.mul_(INITIAL_SCALE)
                cast(Tensor, layer.bias).fill_(bias)
        return head

    @classmethod
    def read(cls, body: nn.Module, findings: int, state: Mapping[str, Tensor]) -> MaskHead:
        """Return the head of a timm network with these tensors. Raises ValueError if they do not fit."""
        head = cls.of(body, findings)
        try:
            head.load_state_dict(dict(state))  # converts half precision while copying
        except RuntimeError as error:
            raise ValueError(str(error).splitlines()[1].strip()) from error
        return head.eval().requires_grad_(False)

    def forward(self, fine: Tensor, last: Tensor) -> Tensor:
        """Return log odds (n, findings, h, w) of maps (n, c, h, w) and (n, d, h / 2, w / 2)."""
        coarse = functional.interpolate(self.coarse(last), fine.shape[-2:], mode="bilinear", align_corners=False)
        odds: Tensor = self.fine(fine) + coarse
        return odds


def fine_stage(body: nn.Module) -> int:
    """Return the number of a timm network's last stage whose maps have twice the last one's resolution.

    For most networks they have a sixteenth of the film's side. Raises ValueError if there is none.
    """
    reductions = [int(stage["reduction"]) for stage in getattr(body, "feature_info", ())]
    if not reductions or reductions[-1] // 2 not in reductions:
        raise ValueError(
            f"{type(body).__name__} has no feature maps of two scales to learn masks from. Remove mask_weight."
        )
    return max(place for place, reduction in enumerate(reductions) if reduction == reductions[-1] // 2)


def feature_maps(body: nn.Module, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Return the finer feature maps (n, c, h, w) of a timm network for inputs (n, 1, h, w), and its last features."""
    last, (fine,) = cast(Any, body).forward_intermediates(inputs, indices=[fine_stage(body)])
    return fine, last
