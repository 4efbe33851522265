"""Weights of other publishers: in their containers and under their names, they become the start of a network here."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import timm
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from models.training.backbone import build_backbone, classifier_prefixes
from models.training.network import started_backbone
from models.training.recipe import TrainingRecipe
from models.training.start import IMAGENET_PACKAGES, start_state

State = dict[str, Tensor]
Wrap = Callable[[State], object]
SIZE = 64


def plain(state: State) -> object:
    return state


def lightning(state: State) -> object:
    return {"state_dict": {f"model.{name}": each for name, each in state.items()}, "epoch": 3}


def parallel(state: State) -> object:
    return {"state_dict": {f"module.{name}": each for name, each in state.items()}, "epoch": 3}


def in_model(state: State) -> object:
    return {"model": state, "epoch": 3}


def parallel_in_model(state: State) -> object:
    return {"model": {f"module.{name}": each for name, each in state.items()}}


def meta_convnext(state: State) -> object:
    """The names of ConvNeXt's authors, in {"model": ...}."""
    found = {}
    for name, each in state.items():
        name = re.sub(r"^stem\.", "downsample_layers.0.", name)
        name = re.sub(r"^stages\.(\d+)\.downsample\.(\d+)", r"downsample_layers.\1.\2", name)
        name = re.sub(r"^stages\.(\d+)\.blocks\.(\d+)", r"stages.\1.\2", name)
        name = name.replace("conv_dw", "dwconv").replace("mlp.fc", "pwconv")
        name = name.replace("head.norm.", "norm.").replace("head.fc.", "head.")
        if "grn" in name:
            name = name.replace("mlp.grn.bias", "grn.beta").replace("mlp.grn.weight", "grn.gamma")
            each = each.reshape(1, 1, 1, -1)
        found[name] = each
    return {"model": found}


def old_swin(state: State) -> State:
    """The names of Swin's authors and of timm before 0.9, whose stages end with their downsampling."""
    found = {}
    for name, each in state.items():
        name = re.sub(r"layers\.(\d+)\.downsample", lambda at: f"layers.{int(at[1]) - 1}.downsample", name)
        found[name.replace("head.fc.", "head.")] = each
    return found


def microsoft_swin(state: State) -> object:
    return {"model": old_swin(state)}


def ark(state: State) -> object:
    """Ark+: a teacher beside its student, under DataParallel's prefix, with a projector and a head per data set."""
    teacher = old_swin(state) | {
        "projector.weight": torch.zeros(16, 8),
        "projector.bias": torch.zeros(16),
        "omni_heads.0.weight": torch.zeros(14, 16),
        "omni_heads.0.bias": torch.zeros(14),
        "omni_heads.1.weight": torch.zeros(6, 16),
        "omni_heads.1.bias": torch.zeros(6),
    }
    named = {f"module.{name}": each for name, each in teacher.items()}
    student = {name: torch.zeros_like(each) for name, each in named.items()}
    return {"epoch": 9, "teacher": named, "student": student, "optimizer": {"state": {}}}


def alibaba_tresnet(state: State) -> object:
    """The names of TResNet's authors, whose convolution and norm are numbered in a sequence."""
    found = {}
    for name, each in state.items():
        nested = "body.conv1." in name or re.search(r"\.conv\d\.conv\.|\.conv\d\.bn\.", name)
        name = re.sub(r"(conv\d+|downsample\.\d+)\.conv\.", r"\1.0.", name)
        name = re.sub(r"(conv\d+|downsample\.\d+)\.bn\.", r"\1.1.", name)
        assert nested or name
        found[name] = each
    return {"model": found}


def snap_efficientformer(state: State) -> object:
    """The names of EfficientFormerV2's authors, who number convolutions and norms and the parts of all stages."""
    found = {}
    for name, each in state.items():
        name = name.replace("stem.conv1.conv", "patch_embed.0").replace("stem.conv1.bn", "patch_embed.1")
        name = name.replace("stem.conv2.conv", "patch_embed.3").replace("stem.conv2.bn", "patch_embed.4")
        name = re.sub(r"^stages\.(\d)\.blocks", lambda at: f"network.{2 * int(at[1])}", name)
        attends = name.startswith("stages.3.downsample.")
        name = name.replace("downsample.conv.conv", "downsample.conv" if attends else "downsample.proj")
        name = name.replace("downsample.conv.bn", "downsample.bn" if attends else "downsample.norm")
        name = re.sub(r"^stages\.(\d)\.downsample", lambda at: f"network.{2 * int(at[1]) - 1}", name)
        name = re.sub(r"mlp\.(fc1|mid|fc2)\.conv", r"mlp.\1", name)
        name = re.sub(r"mlp\.fc(\d)\.bn", r"mlp.norm\1", name).replace("mlp.mid.bn", "mlp.mid_norm")
        name = re.sub(r"\.(q|k|v|v_local|stride_conv|q\.proj)\.conv\.", r".\1.0.", name)
        name = re.sub(r"\.(q|k|v|v_local|stride_conv|q\.proj)\.bn\.", r".\1.1.", name)
        name = name.replace("proj.conv.", "proj.1.").replace("proj.bn.", "proj.2.")
        name = name.replace("q.local.", "q.local.0.").replace("head_dist", "dist_head")
        if name.endswith("gamma"):
            name, each = re.sub(r"ls(\d)\.gamma", r"layer_scale_\1", name), each[:, None, None]
        found[name] = each
    return {"model": found}


def foreign(architecture: str) -> tuple[State, nn.Module]:
    """A color network of the publisher's own size and number of outputs, with weights that tell its tensors apart."""
    torch.manual_seed(1)
    model = timm.create_model(architecture, num_classes=14)
    for each in model.parameters():  # zeros and ones would hide a tensor in the wrong place
        nn.init.uniform_(each, 0.01, 0.02)
    return dict(model.state_dict()), model


CASES = [
    ("resnet50", plain),
    ("resnet50", lightning),
    ("resnext101_32x4d", parallel),
    ("densenet121", parallel),
    ("densenet161", plain),
    ("convnext_small", meta_convnext),
    ("convnextv2_atto", meta_convnext),
    ("swin_tiny_patch4_window7_224", microsoft_swin),
    ("swin_tiny_patch4_window7_224", ark),
    ("tf_efficientnetv2_s", in_model),
    ("efficientformerv2_s0", in_model),
    ("efficientformerv2_s0", snap_efficientformer),
    ("cait_xxs24_224", parallel_in_model),
    ("tresnet_m", alibaba_tresnet),
    ("vit_small_patch16_224", in_model),
    pytest.param("convnext_base", meta_convnext, marks=pytest.mark.large),
    pytest.param("convnextv2_base", meta_convnext, marks=pytest.mark.large),
    pytest.param("swin_large_patch4_window12_384", ark, marks=pytest.mark.large),
]


@pytest.mark.training
@pytest.mark.parametrize(("architecture", "wrap"), CASES)
def test_a_publishers_weights_are_where_they_belong(architecture: str, wrap: Wrap, tmp_path: Path) -> None:
    state, _ = foreign(architecture)
    torch.save(wrap(state), tmp_path / "theirs.pth")
    found = start_state(str(tmp_path / "theirs.pth"), architecture)
    recipe = TrainingRecipe(architecture=architecture, size=SIZE)
    own = started_backbone(recipe, 5, found)
    heads = classifier_prefixes(own)
    for name, each in own.state_dict().items():
        if name.startswith(heads) or name.endswith(("num_batches_tracked", "relative_position_index", "attn_mask")):
            continue
        theirs = state[name]
        if each.shape == theirs.shape:
            expected = theirs.abs() + 1e-5 if architecture == "tresnet_m" and name.endswith("bn.weight") else theirs
            torch.testing.assert_close(each, expected)
        elif theirs.ndim == 4:  # the first layer: colors are summed
            assert each.shape[1] * 3 == theirs.shape[1]
            torch.testing.assert_close(each.sum(1), theirs.sum(1))
        else:  # positions or windows of another input size
            assert 0.009 < float(each.min()) and float(each.max()) < 0.021
    assert torch.isfinite(own.eval()(torch.zeros(1, 1, SIZE, SIZE))).all()


def test_a_safetensors_file_and_a_network_of_another_size_fit(tmp_path: Path) -> None:
    state, _ = foreign("convnextv2_atto")
    save_file(state, tmp_path / "theirs.safetensors")
    found = start_state(str(tmp_path / "theirs.safetensors"), "convnextv2_atto")
    torch.testing.assert_close(found["stages.3.blocks.0.mlp.fc1.weight"], state["stages.3.blocks.0.mlp.fc1.weight"])


def test_another_networks_weights_are_refused(tmp_path: Path) -> None:
    state, _ = foreign("convnextv2_atto")
    torch.save(state, tmp_path / "theirs.pth")
    with pytest.raises(ValueError, match="theirs.pth is not a resnet18: conv1.weight and 99 other tensors"):
        start_state(str(tmp_path / "theirs.pth"), "resnet18")


def test_what_is_no_weights_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs.pth").write_text("hello")
    with pytest.raises(ValueError, match="not a readable weights file"):
        start_state(str(tmp_path / "theirs.pth"), "resnet18")
    with pytest.raises(FileNotFoundError, match="no weights phantom-2"):
        start_state("phantom-2", "tf_efficientnet_lite0")
    with pytest.raises(ValueError, match="No ImageNet weights of resnet18"):
        start_state("imagenet", "resnet18")


def test_timms_own_weights_are_refused_clearly_where_they_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match="timm's weights of test_vit cannot be had here"):
        start_state("timm", "test_vit")


def test_random_weights_and_shipped_starts() -> None:
    assert start_state("none", "resnet18") == {}
    assert len(start_state("phantom-20000", "tf_efficientnet_lite0")) == 296


@pytest.mark.parametrize("architecture", IMAGENET_PACKAGES)
def test_imagenet_weights_are_those_of_the_architecture(architecture: str) -> None:
    pytest.importorskip(IMAGENET_PACKAGES[architecture])
    state = start_state("imagenet", architecture)
    body = build_backbone(architecture, SIZE, 5)
    assert state.keys() == body.state_dict().keys()
    assert started_backbone(TrainingRecipe(architecture=architecture, size=SIZE), 5, state) is not None
