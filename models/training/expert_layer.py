"""A layer replaced by several experts that a gate weighs at each token, kept evenly used by an auxiliary loss."""

from __future__ import annotations

import copy
from typing import Any, cast

import torch
from torch import Tensor, nn

from models.training.heads.mixture_of_experts import gates, load_balance


class ExpertLayer(nn.Module):
    """out(x) = sum of g_i(x) layer_i(x) at each token, with a softmax gate g of one linear layer without bias.

    All experts start as copies of the given layer, so that a pretrained network first answers as before (Komatsuzaki et
    al., Sparse upcycling, ICLR 2023, section 2); the gate starts nearly even. Mixture and load loss: Shazeer et al.,
    ICLR 2017, equations 1 and 2, and Fedus et al., Switch Transformers, JMLR 2022, equations 4 to 6. Unlike there, all
    experts are computed. `last_balance` is the unweighted load loss of the last batch; 1 is an even use of experts.
    """

    def __init__(
        self, layer: nn.Module, channels: int, experts: int, *, top_k: int = 0, channel_axis: int = -1
    ) -> None:
        """`layer` reads tensors with `channels` along `channel_axis`; `top_k` experts answer for a token, 0 for all.

        Raises ValueError for fewer than two experts, or a `top_k` of one or above their number.
        """
        super().__init__()
        if experts < 2 or top_k == 1 or not 0 <= top_k <= experts:
            raise ValueError(f"{top_k} of {experts} experts cannot be chosen; use at least two, or 0 for all.")
        self.top_k, self.channel_axis = top_k or experts, channel_axis
        self.experts = nn.ModuleList(copy.deepcopy(layer) for _ in range(experts))
        self.gate = nn.Linear(channels, experts, bias=False)
        with torch.no_grad():
            self.gate.weight.mul_(0.1)
        self.last_balance: Tensor = torch.zeros(())

    def forward(self, values: Tensor) -> Tensor:
        """Return the experts' weighted outputs, with the layer's own shape."""
        tokens = values.movedim(self.channel_axis, -1)
        choice = self.gate(tokens).float()  # softmax in full precision even under autocast (Fedus et al., 2.4)
        flat = choice.flatten(0, -2)
        self.last_balance = load_balance(torch.softmax(flat, 1))
        shares = gates(flat, self.top_k).reshape(choice.shape).movedim(-1, self.channel_axis)
        each = (
            shares.narrow(self.channel_axis, number, 1).to(values.dtype) * expert(values)
            for number, expert in enumerate(self.experts)
        )
        return sum(each, values.new_zeros(()))

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy, without the last batch's loss, whose gradient cannot be copied."""
        return {**self.__dict__, "last_balance": torch.zeros(())}


def add_experts(body: nn.Module, layers: int, experts: int) -> None:
    """Replace the last `layers` layers that a timm network applies to each place alone by experts.

    These are the MLPs of its last blocks (ConvNeXt, Swin, ViT), as CXR-LT 2026 Task 1 C (section 3.2) replaces them in
    ConvNeXt, or the 1 x 1 convolution before the pooling (EfficientNet), which allows one layer. Raises ValueError if
    there are fewer.
    """
    blocks = [module for module in body.modules() if isinstance(getattr(module, "mlp", None), nn.Module)]
    if blocks:
        if layers > len(blocks):
            raise ValueError(f"The network has {len(blocks)} layers that experts can replace, not {layers}.")
        for block in blocks[-layers:]:
            mlp = cast(nn.Module, cast(Any, block).mlp)  # timm's interface is a convention, not a type
            first = next(module for module in mlp.modules() if isinstance(module, nn.Linear | nn.Conv2d))
            convolution = isinstance(first, nn.Conv2d)
            channels = first.in_channels if isinstance(first, nn.Conv2d) else first.in_features
            block.mlp = ExpertLayer(mlp, channels, experts, channel_axis=1 if convolution else -1)
        return
    last = getattr(body, "conv_head", None)
    if not isinstance(last, nn.Conv2d) or layers != 1:
        raise ValueError(
            "Experts replace the MLPs of blocks, or one 1 x 1 convolution; this network has no such layer."
        )
    body.conv_head = ExpertLayer(last, last.in_channels, experts, channel_axis=1)


def balance_loss(network: nn.Module) -> Tensor:
    """Return the mean load loss of all expert layers for the last batch; 0 if there is none."""
    found = [module.last_balance for module in network.modules() if isinstance(module, ExpertLayer)]
    return torch.stack(found).mean() if found else torch.zeros(())
