"""A model that is added on the page: what is recognized, what is refused, and what a typed path may not tell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import timm
import torch
from huggingface_hub.errors import LocalEntryNotFoundError
from safetensors import SafetensorError
from safetensors.torch import save_file

from explorer.reading import added_model
from explorer.reading.added_model import VisitorFacts, inspect_model, save_model
from models import load
from models.cards.card import MissingArchitecture, UnusableModel
from models.cards.home import own_models
from models.cards.registry import own_names
from models.classifier import new_model
from tests.support.model_builders import random_film
from tests.support.torchxrayvision_files import write_published
from tests.support.wording import Wording, line_with


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(load, "_classifiers", {})
    return tmp_path / "home"


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    torch.save(timm.create_model("resnet10t", num_classes=3, in_chans=1).state_dict(), tmp_path / "tiny.pth")
    return tmp_path / "tiny.pth"


def said(typed: str, **told: object) -> str:
    with pytest.raises(UnusableModel) as refusal:
        inspect_model(typed) if not told else save_model(typed, VisitorFacts(**told))  # type: ignore[arg-type]
    return str(refusal.value)


def test_what_a_file_tells_is_told_and_the_rest_is_guessed_in_words(weights: Path) -> None:
    found = inspect_model(f" {weights} ")
    assert (found.name, found.file, found.architecture, found.outputs) == ("tiny", "tiny.pth", "resnet10t", 3)
    assert (found.in_chans, found.findings) == (1, ()) and found.size == 176
    assert [sentence.split()[0] for sentence in found.guessed] == ["Architecture", "Input", "mean", "std"]
    assert inspect_model(f"{weights}?findings=Effusion,,Mass&size=64").findings == ("Pleural Effusion", "", "Mass")
    assert found.function is None and inspect_model(f"{weights}?function=softmax").function == "softmax"
    assert not own_models().exists()


def test_it_is_kept_under_its_name_once_it_was_tried(weights: Path, wording: Wording) -> None:
    told = VisitorFacts(
        findings=["Effusion", "", "ILD"], size=64, mean=(0.5,), std=(0.25,), name="mine", function="sigmoid"
    )
    done = save_model(str(weights), told)
    assert done.made.card.findings == ("Pleural Effusion", "ILD") and own_names() == ("mine",)
    assert done.outputs.renamed == (("Effusion", "Pleural Effusion"),) and set(done.made.scores) == {
        "Pleural Effusion",
        "ILD",
    }
    assert done.made.card.mean == (0.5,) and not any("mean" in each for each in done.made.card.guessed)
    assert load.classifier("mine", "cpu").score([random_film(70, 60)]).shape == (1, 2)
    wording(line_with(said(str(weights), **vars_of(told)), "mine already"))


def vars_of(told: VisitorFacts) -> dict[str, object]:
    return {name: getattr(told, name) for name in ("findings", "size", "mean", "std", "name", "function")}


def test_what_is_wrong_is_said_and_nothing_is_kept(weights: Path, tmp_path: Path, wording: Wording) -> None:
    typed, three = str(weights), ["a", "b", "c"]
    wording(line_with(said(typed, findings=["a", "b"]), "2 findings", "3 outputs"))
    wording(line_with(said(typed, findings=["", "", ""]), "output has"))
    wording(line_with(said(typed, size=64), "3 outputs"))
    wording(line_with(said(typed, findings=["Normal", "No Finding", "c"]), "1 and 2", "Normal"))
    wording(line_with(said(typed, findings=three, architecture="resnt18"), "'resnt18'"))
    wording(line_with(said(typed, findings=three, size=64), "--function"))
    wording(line_with(said(typed, findings=three, size=8), "8 px"))
    assert "0 cannot be the std" in said(typed, findings=three, size=64, std=(0.0,))
    wording(line_with(said(typed, findings=three, size=64, mean=(float("nan"),)), "nan cannot"))
    wording(line_with(said(typed, findings=three, size=64, mean=(0.5,) * 3), "3 numbers", "1 channel"))
    torch.save({"epoch": 3}, tmp_path / "no.pth")
    wording(line_with(said(str(tmp_path / "no.pth")), "state dict"))
    (tmp_path / "text.pt").write_text("weights")
    wording(line_with(said(str(tmp_path / "text.pt")), "weights file"))
    backbone = timm.create_model("resnet10t", num_classes=0, in_chans=1).state_dict()
    save_file(backbone, tmp_path / "backbone.safetensors")
    wording(line_with(said(str(tmp_path / "backbone.safetensors")), "no scores"))
    assert own_names() == () and not list(own_models().glob("*"))


def test_an_architecture_that_shapes_do_not_tell_is_asked_for(tmp_path: Path) -> None:
    save_file({"strange.weight": torch.zeros(3, 4)}, tmp_path / "strange.safetensors")
    with pytest.raises(MissingArchitecture) as untold:
        inspect_model(str(tmp_path / "strange.safetensors"))
    assert untold.value.fitting == ()
    net = timm.create_model("efficientnet_b0", num_classes=2, in_chans=3)
    save_file(net.state_dict(), tmp_path / "net.safetensors")
    with pytest.raises(MissingArchitecture) as untold:
        inspect_model(str(tmp_path / "net.safetensors"))
    assert {"efficientnet_b0", "tf_efficientnet_b0"} <= set(untold.value.fitting)
    assert inspect_model(str(tmp_path / "net.safetensors"), "efficientnet_b0").architecture == "efficientnet_b0"


def test_a_typed_path_tells_nothing_of_the_disk(weights: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Missing, a folder, a pipe, another kind of file, a relative path: one answer for all, and nothing is opened."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "folder.pth").mkdir()
    os.mkfifo(tmp_path / "pipe.pth")
    outside = weights.rename(tmp_path / "tiny.PTH")
    monkeypatch.chdir(tmp_path)
    places = [
        *("", "/nowhere/a.pth", str(tmp_path / "secret.txt"), str(tmp_path / "folder.pth"), str(tmp_path / "pipe.pth")),
        *(outside.name, "/etc/passwd", f"timm:resnet10t?weights={tmp_path / 'secret.txt'}", "local-dir:/nowhere"),
        *("timm:resnet10t?weights=/etc/passwd", f"local-dir:{tmp_path}?weights=../secret.pth", "~nobody-here/a.pth"),
        *("hf-hub:a/b?weights=../../c.bin", "http://127.0.0.1/a.html", "x" * 5000, "/" + "y" * 300 + ".pth", "a\0.pth"),
    ]
    assert {said(place) for place in places} == {said("/nowhere/b.pth")}
    assert "nowhere" not in said("/nowhere/b.pth")
    assert inspect_model(str(outside)).architecture == "resnet10t"
    monkeypatch.setattr(added_model, "MAX_WEIGHTS_BYTES", 10)
    assert "is larger than" in said(str(outside))


@pytest.mark.parametrize("file", ["net.h5", "net.KERAS", "net.onnx"])
def test_another_librarys_network_is_named_with_the_way_out_by_its_name_alone(
    file: str, tmp_path: Path, wording: Wording
) -> None:
    missing = said(str(tmp_path / file))
    wording(missing, file, "ingest predictions")
    (tmp_path / file).write_bytes(b"\x89HDF\r\n\x1a\n")
    assert said(str(tmp_path / file)) == missing


def test_a_repository_is_not_fetched(monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    words = said("hf-hub:someone/chest-vit")
    wording(line_with(words, "hf-hub", "chest-vit"))
    wording(line_with(words, "`python -m explorer model new hf-hub:someone/chest-vit`"))


def test_a_repository_is_not_fetched_where_the_app_may_use_the_network(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    """As after a start with `--vlm hf-hub:...`; no network is asked here either."""
    asked: list[object] = []

    def download(repository: str, name: str, *, local_files_only: bool = False) -> str:
        asked.append(local_files_only)
        raise LocalEntryNotFoundError("not in the cache")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    wording(line_with(said("hf-hub:someone/chest-vit"), "this machine"))
    assert asked and all(asked)


def test_a_file_of_torchxrayvision_is_known_by_its_name(tmp_path: Path) -> None:
    file = write_published("xrv-rsna", tmp_path / "down")
    found = inspect_model(str(file))
    assert (found.registered, found.outputs) == ("xrv-rsna", 0)
    done = save_model(str(file), VisitorFacts())
    assert done.made.registered and done.made.card.name == "xrv-rsna" and own_names() == ()


def test_one_file_is_looked_at_at_a_time(weights: Path, wording: Wording) -> None:
    with added_model._inspection_lock:
        wording(line_with(said(str(weights)), "Another model"))
    assert inspect_model(str(weights)).outputs == 3


def test_a_folder_without_weights_is_as_good_as_none_and_a_tilde_is_no_home(weights: Path, tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    missing = said(f"local-dir:{tmp_path}/missing")
    assert said(f"local-dir:{tmp_path}/private") == missing
    assert said("~/tiny.pth") == said("local-dir:~") == said(str(tmp_path / "missing.pth"))


def test_a_full_disk_is_told_in_a_sentence(weights: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    def full(*_: object) -> None:
        raise SafetensorError("I/O error: No space left on device (os error 28)")

    monkeypatch.setattr(new_model, "save_file", full)
    words = said(str(weights), findings=["Effusion", "", "ILD"], size=64, function="sigmoid", name="mine")
    assert own_names() == ()
    wording(line_with(words, "space left"))
