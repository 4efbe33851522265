"""Names of EfficientFormerV2's authors become timm's."""

from __future__ import annotations

import pytest
import torch

from models.classifier.efficientformer_names import timm_efficientformer

STEM = {"patch_embed.0.weight": torch.zeros(1)}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("patch_embed.1.running_mean", "stem.conv1.bn.running_mean"),
        ("patch_embed.3.bias", "stem.conv2.conv.bias"),
        ("network.0.1.mlp.fc1.weight", "stages.0.blocks.1.mlp.fc1.conv.weight"),
        ("network.2.0.mlp.norm2.weight", "stages.1.blocks.0.mlp.fc2.bn.weight"),
        ("network.2.0.mlp.mid_norm.bias", "stages.1.blocks.0.mlp.mid.bn.bias"),
        ("network.4.5.mlp.mid.weight", "stages.2.blocks.5.mlp.mid.conv.weight"),
        ("network.1.proj.weight", "stages.1.downsample.conv.conv.weight"),
        ("network.3.norm.bias", "stages.2.downsample.conv.bn.bias"),
        ("network.5.conv.weight", "stages.3.downsample.conv.conv.weight"),
        ("network.5.bn.weight", "stages.3.downsample.conv.bn.weight"),
        ("network.5.attn.q.local.0.weight", "stages.3.downsample.attn.q.local.weight"),
        ("network.5.attn.q.proj.1.weight", "stages.3.downsample.attn.q.proj.bn.weight"),
        ("network.5.attn.proj.1.weight", "stages.3.downsample.attn.proj.conv.weight"),
        ("network.4.4.token_mixer.stride_conv.1.bias", "stages.2.blocks.4.token_mixer.stride_conv.bn.bias"),
        ("network.4.4.token_mixer.v_local.0.weight", "stages.2.blocks.4.token_mixer.v_local.conv.weight"),
        ("network.6.3.token_mixer.proj.2.weight", "stages.3.blocks.3.token_mixer.proj.bn.weight"),
        ("network.6.3.token_mixer.talking_head1.weight", "stages.3.blocks.3.token_mixer.talking_head1.weight"),
        ("network.6.3.token_mixer.attention_biases", "stages.3.blocks.3.token_mixer.attention_biases"),
        ("dist_head.weight", "head_dist.weight"),
        ("head.bias", "head.bias"),
    ],
)
def test_a_name_by_hand(theirs: str, ours: str) -> None:
    assert timm_efficientformer(STEM | {theirs: torch.ones(2)}).keys() == {"stem.conv1.conv.weight", ours}


def test_scales_are_flattened_and_indexes_dropped() -> None:
    state = {
        f"network.6.3.{name}": torch.ones(4, 1, 1) for name in ("layer_scale_1", "token_mixer.attention_bias_idxs")
    }
    found = timm_efficientformer(STEM | state)
    assert found["stages.3.blocks.3.ls1.gamma"].shape == (4,) and len(found) == 2


def test_timms_own_names_stay() -> None:
    state = {"stem.conv1.conv.weight": torch.ones(1), "stages.0.blocks.0.ls2.gamma": torch.ones(1)}
    assert timm_efficientformer(state).keys() == state.keys()
