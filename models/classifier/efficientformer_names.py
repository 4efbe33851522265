"""Names of EfficientFormerV2's tensors: its authors' turned into timm's, which has no filter for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from torch import Tensor

from models.cards.state_names import EFFICIENTFORMER_STEM

ARCHITECTURES = "efficientformerv2_"  # prefix of timm's names
_CONV_AND_NORM = ("conv", "bn")
# Authors' part of a name and timm's, in this order. A number n counts places of a sequence of convolutions and norms.
_RENAMED: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"^patch_embed\.(0|1)\.", lambda found: f"stem.conv1.{_CONV_AND_NORM[int(found[1])]}."),
    (r"^patch_embed\.(3|4)\.", lambda found: f"stem.conv2.{_CONV_AND_NORM[int(found[1]) - 3]}."),
    (r"^network\.([0246])\.", lambda found: f"stages.{int(found[1]) // 2}.blocks."),
    (r"^network\.([135])\.", lambda found: f"stages.{(int(found[1]) + 1) // 2}.downsample."),
    (r"downsample\.(proj|conv)\.", lambda _: "downsample.conv.conv."),
    (r"downsample\.(norm|bn)\.", lambda _: "downsample.conv.bn."),
    (r"\.(q|k|v|v_local|stride_conv|q\.proj)\.([01])\.", lambda found: f".{found[1]}.{_CONV_AND_NORM[int(found[2])]}."),
    (r"\.q\.local\.0\.", lambda _: ".q.local."),
    (r"\.proj\.([12])\.", lambda found: f".proj.{_CONV_AND_NORM[int(found[1]) - 1]}."),
    (r"\.mlp\.(fc1|mid|fc2)\.", lambda found: f".mlp.{found[1]}.conv."),
    (r"\.mlp\.norm([12])\.", lambda found: f".mlp.fc{found[1]}.bn."),
    (r"\.mlp\.mid_norm\.", lambda _: ".mlp.mid.bn."),
    (r"\.layer_scale_([12])$", lambda found: f".ls{found[1]}.gamma"),
    (r"^dist_head\.", lambda _: "head_dist."),
)


def timm_efficientformer(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of an EfficientFormerV2 under timm's names; those that have them already are unchanged.

    The authors' code is snap-research/EfficientFormer, models/efficientformer_v2.py (Li et al., ICCV 2023). Its tables
    of indexes, which timm computes, are dropped.
    """
    if EFFICIENTFORMER_STEM not in state:
        return dict(state)
    found = {}
    for name, tensor in state.items():
        if name.endswith("attention_bias_idxs"):
            continue
        for theirs, ours in _RENAMED:
            name = re.sub(theirs, ours, name)
        found[name] = tensor.flatten() if name.endswith(".gamma") else tensor
    return found
