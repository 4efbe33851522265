"""Names in a state dict: what trainers write around a network is taken off, the network's own names stay."""

from __future__ import annotations

import functools
import re

import pytest
import timm
import torch

from models.cards.state_names import unwrap_names

ARCHITECTURES = (
    "resnet18",
    "densenet121",
    "mobilenetv3_small_050",
    "vit_tiny_patch16_224",
    "swin_tiny_patch4_window7_224",
)


@functools.cache
def names(architecture: str) -> tuple[str, ...]:
    """Those of timm's own network, which is built without weights."""
    with torch.device("meta"):
        return tuple(timm.create_model(architecture, num_classes=5).state_dict())


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(
    "prefix", ["", "module.", "model.", "net.", "module.model.", "_orig_mod.", "my_own_name.", "backbone."]
)
def test_a_prefix_of_all_names_goes(architecture: str, prefix: str) -> None:
    state = {f"{prefix}{name}": at for at, name in enumerate(names(architecture))}
    assert unwrap_names(state) == {name: at for at, name in enumerate(names(architecture))}


def test_what_belongs_to_the_loss_is_left_out() -> None:
    state = {f"model.{name}": 0 for name in names("resnet18")} | {"criterion.pos_weight": 0, "auroc.preds": 0}
    assert tuple(unwrap_names(state)) == names("resnet18")


def test_a_head_beside_a_backbone_stays() -> None:
    body = [name for name in names("resnet18") if not name.startswith("fc.")]
    state = {f"backbone.{name}": 0 for name in body} | {"fc.weight": 1, "fc.bias": 1}
    assert unwrap_names(state) == {name: 0 for name in body} | {"fc.weight": 1, "fc.bias": 1}


def test_names_of_old_densenets_and_of_a_head_in_a_sequence_are_timms() -> None:
    old = {
        f"module.densenet121.{name.replace('norm1.', 'norm.1.').replace('conv2.', 'conv.2.')}": 0
        for name in names("densenet121")
    }
    old = {name.replace("classifier.", "classifier.0."): at for name, at in old.items()}
    assert set(unwrap_names(old)) == set(names("densenet121"))


def test_torchxrayvisions_operating_points_are_no_weights() -> None:
    assert "op_threshs" not in unwrap_names({name: 0 for name in names("densenet121")} | {"op_threshs": 0})


def test_a_swin_of_timm_before_0_9_has_the_names_of_now() -> None:
    model = timm.create_model("swin_tiny_patch4_window7_224", num_classes=2)
    state = model.state_dict()
    old = {
        re.sub(r"layers\.(\d)\.downsample", lambda at: f"layers.{int(at[1]) - 1}.downsample", name).replace(
            "head.fc.", "head."
        ): value
        for name, value in state.items()
    } | {"layers.0.blocks.1.attn_mask": 0, "layers.0.blocks.0.attn.relative_position_index": 0}
    assert "layers.0.downsample.reduction.weight" in old and "head.weight" in old
    model.load_state_dict(unwrap_names(old))
    assert unwrap_names(state).keys() == state.keys()
