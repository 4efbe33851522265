"""Heads and names of other forms than timm's own: what the tensors determine computes the same, the rest is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import timm
import torch
from torch import Tensor, nn

from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.weights_file import load_weights
from models.classifier.network import build_network
from tests.support.wording import Wording

SIDE = 64


def random(architecture: str, **arguments: Any) -> nn.Module:  # noqa: ANN401
    """A network of three outputs whose every tensor matters."""
    torch.manual_seed(0)
    model = timm.create_model(architecture, num_classes=3, **arguments)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    return model.eval()


def read(place: Path, state: dict[str, Tensor], more: str = "") -> tuple[Card, nn.Module]:
    torch.save(state, place / "w.pth")
    about, tensors = load_weights(classifier_card(f"{place / 'w.pth'}?findings=a,b,c&function=sigmoid{more}"))
    return about, build_network(about, tensors).eval()


def assert_same(one: nn.Module, other: nn.Module, side: int = SIDE) -> None:
    film = torch.rand(2, 3, side, side)
    with torch.no_grad():
        assert torch.allclose(one(film), other(film), atol=1e-5)


@pytest.mark.parametrize("more", ["", "&architecture=vit_tiny_patch16_224"])
@pytest.mark.parametrize("token", [True, False])
def test_a_vision_transformer_with_fc_norm_and_no_norm_averages_its_patches(
    more: str, token: bool, tmp_path: Path
) -> None:
    model = random("vit_tiny_patch16_224", img_size=SIDE, global_pool="avg", class_token=token)
    about, found = read(tmp_path, model.state_dict(), more)
    assert about.arguments["global_pool"] == "avg" and any("averaged" in each for each in about.guessed)
    assert_same(model, found)
    usual, found = read(tmp_path, random("vit_tiny_patch16_224", img_size=SIDE).state_dict(), more)
    assert "global_pool" not in usual.arguments


@pytest.mark.parametrize(
    "head",
    [
        nn.Sequential(nn.Dropout(), nn.Identity(), nn.Identity(), nn.Linear(512, 3)),
        nn.Sequential(nn.Linear(512, 8), nn.Linear(8, 6, bias=False), nn.Linear(6, 3)),
        nn.Sequential(nn.Linear(512, 8, bias=False), nn.Linear(8, 3, bias=False)),
    ],
    ids=["one", "three in a row", "without bias"],
)
def test_a_head_of_linear_layers_with_nothing_between_is_read(head: nn.Module, tmp_path: Path) -> None:
    model = random("resnet10t")
    model.fc = head.eval()
    assert_same(model, read(tmp_path, model.state_dict())[1])


def test_a_head_by_another_name_beside_a_backbone_is_read(tmp_path: Path) -> None:
    model = random("resnet10t")
    body = {name: each for name, each in model.state_dict().items() if not name.startswith("fc.")}
    state = {f"backbone.{name}": each for name, each in body.items()}
    state |= {f"head.{name}": each for name, each in model.get_submodule("fc").state_dict().items()}
    assert_same(model, read(tmp_path, state)[1])


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (nn.Sequential(nn.Linear(512, 8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 3)), "fc.0 .8 outputs., fc.3 .3 out"),
        (nn.ModuleDict({"fc1": nn.Linear(512, 8), "fc2": nn.Linear(8, 3)}), "fc.fc1 .8 outputs., fc.fc2 .3 outputs."),
        (nn.Sequential(nn.BatchNorm1d(512), nn.Linear(512, 3)), "in fc.1 .3 outputs."),
    ],
    ids=["relu", "named", "norm"],
)
def test_a_head_that_its_tensors_do_not_tell_is_refused_with_the_way_out(
    head: nn.Module, said: str, tmp_path: Path, wording: Wording
) -> None:
    model = random("resnet10t")
    model.fc = head
    with pytest.raises(UnusableModel) as refused:
        read(tmp_path, model.state_dict())
    wording(refused.value, "w.pth")
    assert re.search(said, refused.value.detail) and "ingest predictions" in refused.value.detail


def test_a_transformer_with_the_layer_that_timm_gave_up_is_refused(tmp_path: Path, wording: Wording) -> None:
    state = random("vit_tiny_patch16_224").state_dict() | {"pre_logits.fc.weight": torch.rand(192, 192)}
    with pytest.raises(UnusableModel) as caught:
        read(tmp_path, state, "&architecture=vit_tiny_patch16_224")
    wording(caught.value, "timm")


def test_a_convnext_with_a_hidden_layer_is_read(tmp_path: Path) -> None:
    model = random("convnext_atto", head_hidden_size=12)
    about, found = read(tmp_path, model.state_dict())
    assert about.arguments == {"head_hidden_size": 12}
    assert_same(model, found)


def test_names_that_timms_own_filter_reads_are_read(tmp_path: Path) -> None:
    """Those of ConvNeXt's authors."""
    model = random("convnext_atto")
    renamed = {
        re.sub(r"stages\.(\d)\.(?:blocks|(downsample))\.", _of_authors, name.replace("stem.", "downsample_layers.0."))
        .replace("conv_dw", "dwconv")
        .replace("mlp.fc", "pwconv")
        .replace("head.norm", "norm")
        .replace("head.fc", "head"): each
        for name, each in model.state_dict().items()
    }
    assert_same(model, read(tmp_path, renamed, "&architecture=convnext_atto")[1])


def _of_authors(stage: re.Match[str]) -> str:
    return f"downsample_layers.{stage[1]}." if stage[2] else f"stages.{stage[1]}."
