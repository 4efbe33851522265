"""Classifiers by address: what is built is timm's own network, what is missing is said, what was guessed too."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import timm
import torch
from safetensors.torch import save_file
from torch import nn

from models import load
from models.cards import classifier_card, routing
from models.cards.address import is_address, parse_address
from models.cards.card import UnusableModel
from models.cards.hub import is_image_text
from models.classifier.classifier import Classifier
from tests.support.model_builders import random_film
from tests.support.wording import Wording

FILM = random_film(100, 80)


def random_network(architecture: str, **arguments: Any) -> nn.Module:  # noqa: ANN401
    torch.manual_seed(3)
    return timm.create_model(architecture, **arguments).eval()


def state_file(path: Path, model: nn.Module, prefix: str = "", wrapper: str | None = None) -> Path:
    state: dict[str, Any] = {f"{prefix}{name}": tensor for name, tensor in model.state_dict().items()}
    if path.suffix == ".safetensors":
        save_file(state, path)
    else:
        torch.save({wrapper: state, "epoch": 9} if wrapper else state, path)
    return path


def check(name: str, model: nn.Module, rows: list[int] | None = None) -> Classifier:
    """Its scores are those of timm's network on the same input."""
    found = load.classifier(name, "cpu")
    assert isinstance(found, Classifier)
    with torch.no_grad():
        wanted = model(found.inputs([FILM])).sigmoid().numpy()
    np.testing.assert_allclose(found.score([FILM]), wanted[:, rows] if rows else wanted, atol=1e-5)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "prefix", "wrapper"),
    [
        ("a.safetensors", "", None),
        ("a.pth", "", None),
        ("a.pt", "module.", None),
        ("a.ckpt", "model.", "state_dict"),
        ("a.ckpt", "net.", "state_dict"),
        ("a.bin", "_orig_mod.", "model"),
    ],
)
def test_a_file_in_any_wrapping(file: str, prefix: str, wrapper: str | None, tmp_path: Path) -> None:
    model = random_network("resnet10t", num_classes=3, in_chans=1)
    path = state_file(tmp_path / file, model, prefix, wrapper)
    found = check(f"timm:resnet10t?weights={path}&findings=COVID-19,Lung Cavity,ILD&size=64&function=sigmoid", model)
    assert found.findings == ("COVID-19", "Lung Cavity", "ILD")
    assert (found.card.size, found.card.in_chans, found.card.name) == (64, 1, "resnet10t-a")
    assert not found.card.operating_points and not found.card.training
    bare = check(f"{path}?findings=COVID-19,Lung Cavity,ILD&size=64&function=sigmoid", model)
    assert bare.card.architecture == "resnet10t"


def test_what_nobody_said_is_timms_and_said(tmp_path: Path) -> None:
    path = state_file(tmp_path / "a.pth", random_network("resnet18", num_classes=7, in_chans=1))
    guessed = load.classifier(f"{path}?findings=a,b,c,d,e,f,g", "cpu").card
    assert guessed.mean == (0.449,) and guessed.std == (0.226,) and guessed.size == 224
    said = " ".join(guessed.guessed)
    assert all(
        words in said for words in ("resnet18, judging by its tensor shapes", "224 px", "mean 0.449", "std 0.226")
    )
    told = f"timm:resnet18?weights={path}&findings=a,b,c,d,e,f,g&size=96&mean=0.5&std=0.25&function=sigmoid"
    assert load.classifier(told, "cpu").card.guessed == ()


def test_an_empty_finding_drops_its_output(tmp_path: Path) -> None:
    model = random_network("resnet10t", num_classes=4, in_chans=3)
    path = state_file(tmp_path / "a.pth", model)
    assert check(f"{path}?findings=Mass,,Edema,&size=64&function=sigmoid", model, [0, 2]).findings == ("Mass", "Edema")


def test_a_vision_transformer_says_its_size_and_swin_is_read(tmp_path: Path) -> None:
    model = random_network("vit_tiny_patch16_224", num_classes=2, in_chans=3, img_size=96)
    path = state_file(tmp_path / "v.pth", model)
    found = check(f"timm:vit_tiny_patch16_224?weights={path}&findings=a,b&function=sigmoid", model)
    assert found.card.size == 96 and "position embedding" in found.card.guessed[0]
    assert found.heat(FILM, ["b"]).maps.shape == (1, 6, 6)


CONFIG = {
    "architecture": "resnet10t",
    "num_classes": 3,
    "model_args": {"global_pool": "max"},
    "pretrained_cfg": {"input_size": [1, 80, 80], "mean": [0.3], "std": [0.2], "license": "mit"},
    "label_names": ["Effusion", "Nodule", "Lung Opacity"],
}


def snapshot(folder: Path, weights: str = "model.safetensors", **changes: object) -> nn.Module:
    """A repository's files as timm pushes them."""
    folder.mkdir(parents=True)
    model = random_network("resnet10t", num_classes=3, in_chans=1, global_pool="max")
    state_file(folder / weights, model)
    (folder / "config.json").write_text(json.dumps(CONFIG | changes))
    return model


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub's cache, and no network."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.mark.parametrize("weights", ["model.safetensors", "pytorch_model.bin"])
def test_a_repository_of_the_hub_is_built_as_its_config_says(cache: Path, weights: str) -> None:
    repository = cache / "models--someone--chest-net"
    model = snapshot(repository / "snapshots" / "abc123", weights)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc123")
    name = f"hf-hub:someone/chest-net?name={weights.partition('.')[0]}&function=sigmoid"
    found = check(name, model)
    assert found.findings == ("Effusion", "Nodule", "Lung Opacity")
    assert (found.card.size, found.card.mean, found.card.std, found.card.licence) == (80, (0.3,), (0.2,), "mit")
    assert found.card.guessed == () and dict(found.card.arguments) == {"global_pool": "max"}
    assert not is_image_text("hf-hub:someone/chest-net")
    shutil.rmtree(repository)


def test_a_repository_that_is_not_here_says_how_to_bring_it(cache: Path, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as caught:
        load.classifier("hf-hub:someone/gone", "cpu")
    wording(caught.value, "hf download someone/gone --local-dir", "local-dir:gone")


def test_a_folder_in_the_hubs_layout(tmp_path: Path) -> None:
    model = snapshot(tmp_path / "chest-net")
    assert check(f"local-dir:{tmp_path / 'chest-net'}?function=sigmoid", model).card.name == "chest-net"
    assert not is_image_text(f"local-dir:{tmp_path / 'chest-net'}")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"label_names": None}, "3 outputs"),
        ({"label_names": ["a", "b"]}, "2 findings are named"),
        ({"architecture": None}, "architecture 'None'"),
        ({"model_args": {"checkpoint_path": "/etc/passwd"}}, "checkpoint_path"),
        ({"model_args": {"no_such": 1}}, "cannot be built"),
    ],
)
def test_a_wrong_config_is_said(changes: dict[str, object], words: str, tmp_path: Path, wording: Wording) -> None:
    snapshot(tmp_path / "net", **changes)
    with pytest.raises(UnusableModel) as refused:
        load.classifier(f"local-dir:{tmp_path / 'net'}?function=sigmoid", "cpu")
    assert words in str(refused.value)
    wording(refused.value)


def test_another_librarys_repository_is_no_model_of_timm(tmp_path: Path) -> None:
    snapshot(tmp_path / "net")
    (tmp_path / "net" / "config.json").write_text('{"model_type": "dinov2"}')
    with pytest.raises(UnusableModel, match="names no timm architecture"):
        load.classifier(f"local-dir:{tmp_path / 'net'}", "cpu")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "3 outputs"),
        ("&findings=a,b", "2 findings are named"),
        ("&findings=a,b,b", "named twice"),
        ("&findings=,,", "output has a name"),
        ("&findings=a,b,c&size=large", "whole number"),
        ("&findings=a,b,c&mean=x", "mean=x"),
        ("&findings=a,b,c&labels=a", "labels"),
    ],
)
def test_what_is_missing_or_wrong_is_one_sentence(query: str, words: str, tmp_path: Path, wording: Wording) -> None:
    path = state_file(tmp_path / "a.pth", random_network("resnet10t", num_classes=3, in_chans=1))
    with pytest.raises(UnusableModel) as refused:
        load.classifier(f"timm:resnet10t?weights={path}{query}", "cpu")
    assert words in str(refused.value)
    wording(refused.value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("timm:resnet18?findings=a", "add weights=FILE"),
        ("timm:?weights=a", "names no file"),
        ("hf-hub:alone", "names no file"),
        ("timm:resnet18?weights=/gone/a.pth&findings=a", "no weights at"),
        ("/gone/a.safetensors?findings=a", "no weights at"),
    ],
)
def test_an_address_that_names_nothing(name: str, words: str, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as refused:
        load.classifier(name, "cpu")
    assert words in str(refused.value)
    wording(refused.value)


def test_other_architectures_and_backbones_are_told_apart(tmp_path: Path, wording: Wording) -> None:
    path = state_file(tmp_path / "a.pth", random_network("resnet10t", num_classes=3, in_chans=1))
    with pytest.raises(UnusableModel) as caught:
        load.classifier(f"timm:resnet18?weights={path}&findings=a,b,c&function=sigmoid", "cpu")
    wording(caught.value, "resnet10t")
    headless = state_file(tmp_path / "b.pth", random_network("resnet10t", num_classes=0))
    with pytest.raises(UnusableModel, match="no last layer"):
        load.classifier(f"timm:resnet10t?weights={headless}&findings=a", "cpu")


def test_an_address_decides_what_a_name_decides() -> None:
    assert is_address("timm:resnet18?weights=a") and is_address("a.pth") and is_address("best.pth.tar?findings=a")
    assert not is_address("nih-mini") and not is_address("own.toml")
    assert routing.film_provenance("a.pth") == "real" and routing.cautions_of("a.pth") == {}
    assert routing.cannot_judge_of("a.pth", None) == routing.cannot_judge_of("nih-mini", "0" * 64) == ()
    assert "Hernia" in routing.cannot_judge_of("nih-mini", classifier_card.classifier_card("nih-mini").sha256)
    assert routing.comes_from_hub("hf-hub:a/b") and not routing.comes_from_hub("a.pth")
    assert parse_address("a.pth?findings=Lung%20Lesion,ILD").findings == ("Lung Lesion", "ILD")


@pytest.mark.parametrize(
    ("architecture", "arguments"),
    [
        ("resnet10t", {"in_chans": 1}),
        ("resnet10t", {"in_chans": 3, "global_pool": "max"}),
        ("vit_tiny_patch16_224", {"in_chans": 1, "global_pool": "avg", "img_size": 96}),
        ("swin_tiny_patch4_window7_224", {"in_chans": 1, "img_size": 64, "window_size": 2}),
    ],
    ids=["gray", "pool", "avg", "swin"],
)
@pytest.mark.parametrize("safe", [True, False], ids=["safetensors", "bin"])
def test_a_folder_that_timm_itself_writes_is_read(
    architecture: str, arguments: dict[str, object], safe: bool, tmp_path: Path
) -> None:
    model = timm.create_model(architecture, num_classes=3, **arguments).eval()
    names = {"label_names": {0: "Mass", 1: "Nodule", 2: "ILD"} if safe else ["Mass", "Nodule", "ILD"]}
    timm.models.save_for_hf(model, str(tmp_path / "chest-net"), model_config=names, safe_serialization=safe)
    found = check(f"local-dir:{tmp_path / 'chest-net'}?function=sigmoid", model)
    assert found.findings == ("Mass", "Nodule", "ILD") and found.card.in_chans == arguments["in_chans"]
    assert found.card.size == arguments.get("img_size", found.card.size)
