"""A second head that says where each finding lies: learned from masks, beside the head of its presence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

FINE = 3  # of timm's stages: the one with maps a sixteenth of the film's side
SMALL = 0.1


class MaskHead(nn.Module):
    """Log odds that each cell of a film is covered by each finding, from a network's last maps and finer ones."""

    def __init__(self, fine: int, coarse: int, findings: int) -> None:
        """`fine` and `coarse` are the channels of the finer and the last feature maps."""
        super().__init__()
        self.fine = nn.Conv2d(fine, findings, 1)
        self.coarse = nn.Conv2d(coarse, findings, 1)

    @classmethod
    def of(cls, body: nn.Module, findings: int, share: float = 0.01) -> MaskHead:
        """A fresh head for a timm network; a finding's mask covers `share`, on the mean over films, as it begins."""
        head = cls(int(cast(Any, body).feature_info[FINE]["num_chs"]), int(cast(Any, body).head_hidden_size), findings)
        with torch.no_grad():
            for layer, bias in ((head.fine, math.log(share)), (head.coarse, 0.0)):
                layer.weight.mul_(SMALL)
                cast(Tensor, layer.bias).fill_(bias)
        return head

    @classmethod
    def read(cls, body: nn.Module, findings: int, state: Mapping[str, Tensor]) -> MaskHead:
        """The head of a timm network that these tensors are. Raises ValueError where they do not fit it."""
        head = cls.of(body, findings)
        try:
            head.load_state_dict(dict(state))  # half-precision tensors are widened as they are copied
        except RuntimeError as error:
            raise ValueError(str(error).splitlines()[1].strip()) from error
        return head.eval().requires_grad_(False)

    def forward(self, fine: Tensor, last: Tensor) -> Tensor:
        """Log odds (n, findings, h, w) of maps (n, c, h, w) and (n, d, h / 2, w / 2)."""
        coarse = functional.interpolate(self.coarse(last), fine.shape[-2:], mode="bilinear", align_corners=False)
        odds: Tensor = self.fine(fine) + coarse
        return odds


def feature_maps(body: nn.Module, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """The finer and the last feature maps of a timm network for inputs (n, c, h, w)."""
    last, (fine,) = cast(Any, body).forward_intermediates(inputs, indices=[FINE])
    return fine, last
