"""Any of timm's classifiers is trained: one step each, its classifier at prevalence, its map read by every head."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from models.training.backbone import (
    backbone_shape,
    build_backbone,
    classifier_layers,
    classifier_prefixes,
    last_stages,
    spatial_map,
)
from models.training.heads.registry import HEAD_TYPES
from models.training.network import (
    LINEAR_HEAD,
    network_kind,
    network_outputs,
    new_network,
    predict,
    restart_head,
    trained_parameters,
)
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.saved_network import backbone_state, classifier_state, save_network
from models.training.trained import load_trained
from models.training.trainer import fit_network
from tests.support.few_films import SIZE, few_films

FILMS = few_films(8, 3)
PREVALENCE = np.array([0.5, 0.2, 0.1], dtype=np.float32)
SMALL = ("resnet50", "densenet121", "convnextv2_atto", "vit_small_patch16_224", "swin_tiny_patch4_window7_224")
OTHERS = (
    "resnext101_32x4d",
    "convnext_small",
    "tf_efficientnetv2_s",
    "efficientformerv2_s0",
    "cait_xxs24_224",
    "tresnet_m",
    "resnetv2_50x1_bit",  # its last layer is a convolution
)
LARGE = (
    "densenet161",
    "convnext_base",
    "convnextv2_base",
    "swin_large_patch4_window12_384",
    "cait_s24_224",
    "resnext101_32x8d",
)
STEP = TrainingRecipe(size=SIZE, epochs=1, batch=4, loss=RecipePart("bce"), start="none")
pytestmark = pytest.mark.training


def network(architecture: str, head: RecipePart = LINEAR_HEAD, **changes: object) -> nn.Module:
    torch.manual_seed(0)
    recipe = replace(STEP, architecture=architecture, **changes)  # type: ignore[arg-type]
    return new_network(recipe, head, PREVALENCE, 3, {})


@pytest.mark.parametrize(
    "architecture", [*SMALL, *OTHERS, *(pytest.param(each, marks=pytest.mark.large) for each in LARGE)]
)
def test_one_step_changes_every_stage_of_any_network(architecture: str, tmp_path: Path) -> None:
    model = network(architecture)
    before = {name: each.clone() for name, each in model.named_parameters()}
    losses: list[float] = []
    recipe = replace(STEP, architecture=architecture)
    trained = fit_network(model, FILMS, np.arange(4), recipe, 0, lambda _, __, loss: losses.append(loss))
    assert np.isfinite(losses).all() and len(losses) == 1
    changed = {name for name, each in model.named_parameters() if not torch.equal(each, before[name])}
    # Branches that start at 0 have no gradient before the first step.
    assert changed.issuperset(name for name in before if name.startswith(classifier_prefixes(model)))
    for stage in (each["module"] for each in model.feature_info if each["module"]):  # type: ignore[union-attr]
        trained_there = any(name.startswith(f"{stage}.") for name in changed)
        assert trained_there or not list(model.get_submodule(stage).parameters())
    if architecture in LARGE:
        return
    save_network(trained, network_kind(trained), tmp_path / "one.safetensors")
    again = load_trained(tmp_path / "one.safetensors", recipe).network
    pixels = FILMS.pixels[:2, 4:-4, 4:-4]
    np.testing.assert_allclose(predict(again, pixels, 3), predict(trained, pixels, 3), atol=1e-4)


@pytest.mark.parametrize("architecture", SMALL)
def test_a_new_network_starts_at_prevalence(architecture: str) -> None:
    model = network(architecture).eval()
    with torch.no_grad():
        found = torch.sigmoid(model(torch.zeros(1, 1, SIZE, SIZE)))[0, :3]
    assert np.abs(found.numpy() - PREVALENCE).max() < 0.15


@pytest.mark.parametrize("head", [name for name in HEAD_TYPES if name != "linear"])
@pytest.mark.parametrize("architecture", ["swin_tiny_patch4_window7_224", "vit_small_patch16_224", "convnextv2_atto"])
def test_every_head_reads_every_layout(architecture: str, head: str) -> None:
    model = network(architecture, RecipePart(head))
    answer = network_outputs(model, torch.randn(2, 1, SIZE, SIZE))
    assert answer.logits.shape == (2, 6)
    sum(each.sum() for each in (answer.logits, answer.doubts, answer.parts) if each is not None).backward()
    assert all(each.grad is not None for each in trained_parameters(model, "head"))


def test_maps_of_every_layout_become_channels_and_cells() -> None:
    tokens = torch.arange(10.0).view(1, 5, 2)  # a class token, then 2 x 2 patches of 2 channels
    maps = spatial_map(nn.Identity(), tokens)
    assert maps.shape == (1, 2, 2, 2) and maps[0, 0].flatten().tolist() == [2, 4, 6, 8]
    swin = nn.Identity()
    swin.output_fmt = "NHWC"  # type: ignore[assignment]
    assert spatial_map(swin, torch.zeros(1, 3, 3, 7)).shape == (1, 7, 3, 3)
    assert spatial_map(nn.Identity(), torch.zeros(2, 5)).shape == (2, 5, 1, 1)
    shape = backbone_shape("swin_tiny_patch4_window7_224", 96)
    assert (shape.channels, shape.side) == (768, 3)


@pytest.mark.parametrize("architecture", ["resnet50", "swin_tiny_patch4_window7_224", "densenet121", "convnextv2_atto"])
def test_masks_are_learned_where_maps_have_two_scales(architecture: str) -> None:
    answer = network_outputs(network(architecture, mask_weight=1.0), torch.randn(2, 1, 64, 64))
    assert answer.masks is not None and answer.masks.shape == (2, 3, 4, 4)


def test_a_network_of_one_scale_learns_no_masks() -> None:
    with pytest.raises(ValueError, match="no feature maps of two scales"):
        network("vit_small_patch16_224", mask_weight=1.0)


@pytest.mark.parametrize(
    ("architecture", "size", "why"),
    [
        ("resnet5", 64, "Did you mean resnet"),
        ("vit_small_patch16_224", 8, "cannot read films of 8 pixels"),
        ("efficientformer_l1", 96, "cannot read films of 96 pixels"),
    ],
)
def test_what_cannot_be_built_is_refused(architecture: str, size: int, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        backbone_shape(architecture, size)


def test_both_classifiers_of_a_distilled_network_are_found() -> None:
    with torch.device("meta"):
        body = build_backbone("efficientformerv2_s0", 64, 5)
    assert len(classifier_layers(body)) == 2 and classifier_prefixes(body) == ("head.", "head_dist.")


def test_the_last_stages_are_those_that_timm_names() -> None:
    with torch.device("meta"):
        dense, lite = build_backbone("densenet121", 64, 2), build_backbone("tf_efficientnet_lite0", 64, 2)
    two = {name.split(".")[1] for name in last_stages(dense, 2) if name.startswith("features")}
    assert two == {"transition2", "denseblock3", "transition3", "denseblock4", "norm5"}, "2026 Task 1 F trains these"
    assert last_stages(lite, 1)[0].startswith("blocks.5.") and last_stages(lite, 1)[-1] == "classifier.bias"
    assert len(last_stages(lite, 5)) == len(list(lite.parameters()))
    with pytest.raises(ValueError, match="has 5 stages, not 6"):
        last_stages(lite, 6)


def test_frozen_stages_keep_weights_and_statistics() -> None:
    recipe = replace(STEP, trains="last 1")
    model = network("tf_efficientnet_lite0")
    before = {name: each.clone() for name, each in model.state_dict().items()}
    fit_network(model, FILMS, np.arange(8), recipe, 0, lambda *_: None)
    changed = {name for name, each in model.state_dict().items() if not torch.equal(each, before[name])}
    assert {name.split(".")[0] for name in changed} == {"blocks", "conv_head", "bn2", "classifier"}
    assert {name.split(".")[1] for name in changed if name.startswith("blocks")} == {"5", "6"}


def test_a_second_head_is_trained_with_the_last_layer_and_restarted_without_it() -> None:
    model = network("convnextv2_atto", mask_weight=1.0)
    names = {id(each): name for name, each in model.named_parameters()}
    head = {names[id(each)] for each in trained_parameters(model, "head")}
    assert head == {"body.head.fc.weight", "body.head.fc.bias"} | {name for name in names.values() if "masks" in name}
    restart_head(model, PREVALENCE)
    with pytest.raises(ValueError, match="Only a linear head"):
        restart_head(network("convnextv2_atto", RecipePart("ml-decoder")), PREVALENCE)


@pytest.mark.parametrize("architecture", ["tresnet_m", "convnextv2_atto"])
def test_a_saved_network_gives_back_its_backbone(architecture: str, tmp_path: Path) -> None:
    """TResNet's own tensors are called `body` and `head`, as those of a network with another head are."""
    plain, headed = network(architecture), network(architecture, RecipePart("residual-attention"))
    masked = network(architecture, mask_weight=1.0)
    for name, model in {"plain": plain, "headed": headed, "masked": masked}.items():
        file = tmp_path / f"{name}.safetensors"
        save_network(model, network_kind(model), file)
        assert backbone_state(file).keys() == plain.state_dict().keys()
    assert classifier_state(tmp_path / "masked.safetensors").keys() == plain.state_dict().keys()
    with pytest.raises(ValueError, match="its own head"):
        classifier_state(tmp_path / "headed.safetensors")
