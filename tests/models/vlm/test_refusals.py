"""What cannot be loaded says why, how large it is, where it is and how to bring it here."""

from __future__ import annotations

import json
import os
import pickle
import time
from pathlib import Path

import pytest
import torch

from models import load
from models.cards.card import UnusableModel
from models.vlm.checkpoint import read_checkpoint
from tests.models.cards.test_hostile_weights import HOSTILE, SECONDS
from tests.models.cards.test_vlm_card import VALUES
from tests.support.model_builders import write_card
from tests.support.vlm_builders import write_bert_clip, write_clip, write_text_files
from tests.support.wording import Wording


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """As app.py starts where nothing has to be fetched."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def refusal(name: str) -> UnusableModel:
    with pytest.raises(UnusableModel) as caught:
        load.vlm(name, "cpu")
    return caught.value


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("whyxrayclip", ("1,711 MB", "https://huggingface.co/yyupenn/whyxrayclip", "license: MIT",
                         "`hf download yyupenn/whyxrayclip --local-dir whyxrayclip`", "--vlm local-dir:whyxrayclip")),
        ("biomedclip", ("784 MB", "research only", "uncased-abstract config.json --local-dir biomedclip",
                        "--vlm local-dir:biomedclip")),
        ("chexzero", ("605 MB", "https://github.com/rajpurkarlab/CheXzero", "Commons Clause", "`weights`",
                      "--vlm PATH/chexzero.toml")),
        ("hf-hub:owner/thing", ("https://huggingface.co/owner/thing", "`hf download owner/thing --local-dir thing`")),
        ("open_clip:ViT-B-32/laion2b_s34b_b79k", ("ViT-B-32/laion2b_s34b_b79k", "Hugging Face cache")),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)  # fmt: skip
def test_what_is_to_be_downloaded_says_all_that_is_needed(name: str, words: tuple[str, ...]) -> None:
    refused = refusal(name)
    assert "could not be downloaded" in refused.title
    assert not [each for each in words if each not in refused.detail]


@pytest.mark.parametrize(
    ("name", "title", "detail"),
    [
        ("no-such-model", "There is no model", "whyxrayclip"),
        ("nih-mini", "kind is 'classifier'", "vlm"),
        ("local-dir:/no/such/folder", "is missing", "/no/such/folder"),
        ("local-dir:", "does not name a model", "local-dir:FOLDER"),
        ("open_clip:ViT-B-32", "does not name a model", "ARCHITECTURE/TAG"),
        ("open_clip:ViT-B-33/openai", "ViT-B-33/openai", "list_pretrained"),
        ("open_clip:ViT-B-32/clipper", "ViT-B-32/clipper", "laion2b_s34b_b79k"),
        ("open_clip:ViT-B-32/openai", "ViT-B-32 differs", "open_clip:ViT-B-32-quickgelu/openai"),
    ],
)
def test_names_that_cannot_be(name: str, title: str, detail: str, wording: Wording) -> None:
    refused = refusal(name)
    assert title in refused.title
    wording(refused.title)
    assert detail in refused.detail


class Harm:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Path.touch, (Path("harm"),)


def test_a_pickle_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    monkeypatch.chdir(tmp_path)
    folder = write_clip(tmp_path / "model")
    (folder / "open_clip_model.safetensors").unlink()
    torch.save({"weight": Harm()}, folder / "open_clip_pytorch_model.bin")
    wording(refusal(f"local-dir:{folder}").title, "open_clip_pytorch_model.bin")
    (folder / "open_clip_pytorch_model.bin").write_bytes(pickle.dumps(Harm(), protocol=2))
    wording(refusal(f"local-dir:{folder}").title, "open_clip_pytorch_model.bin")
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("name", HOSTILE)
def test_small_hostile_weights_are_refused_in_seconds(name: str, tmp_path: Path, wording: Wording) -> None:
    """As a classifier's are: none hangs or fills this process."""
    folder = write_clip(tmp_path / "model")
    (folder / "open_clip_model.safetensors").unlink()
    (folder / "open_clip_pytorch_model.bin").write_bytes(HOSTILE[name]())
    start = time.monotonic()
    with pytest.raises(UnusableModel) as caught:
        read_checkpoint(str(folder / "open_clip_pytorch_model.bin"))
    wording(caught.value, "open_clip_pytorch_model.bin")
    assert time.monotonic() - start < SECONDS
    wording(refusal(f"local-dir:{folder}").title, "open_clip_pytorch_model.bin")


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
@pytest.mark.parametrize("place", ["pipe", "device"])
def test_weights_that_are_no_plain_file_are_refused(kind: str, place: str, tmp_path: Path) -> None:
    folder = write_clip(tmp_path / "model")
    (folder / "open_clip_model.safetensors").unlink()
    weights = folder / f"open_clip_model.{kind}"
    if place == "pipe":
        os.mkfifo(weights)
    else:
        weights.symlink_to("/dev/zero")
    assert "not a weights file" in refusal(f"local-dir:{folder}").title


def test_a_torch_file_gives_what_the_safetensors_give(tmp_path: Path) -> None:
    folder = write_clip(tmp_path / "model")
    safe = folder / "open_clip_model.safetensors"
    state = read_checkpoint(str(safe))
    torch.save({"state_dict": {f"module.{name}": each for name, each in state.items()}}, tmp_path / "c.pt")
    found = read_checkpoint(str(tmp_path / "c.pt"))
    assert found.keys() == state.keys() and all(torch.equal(found[name], state[name]) for name in state)
    safe.unlink()
    (tmp_path / "c.pt").rename(folder / "open_clip_pytorch_model.bin")
    assert load.vlm(f"local-dir:{folder}", "cpu").scale > 0


def test_code_beside_a_tokenizer_is_not_run_even_where_the_folder_trusts_it(tmp_path: Path) -> None:
    folder, harm = write_bert_clip(tmp_path / "model", tokenizer_kwargs={"trust_remote_code": True}), tmp_path / "harm"
    (folder / "evil.py").write_text(f"open({str(harm)!r}, 'w')\nfrom transformers import BertTokenizer as Evil\n")
    described = json.loads((folder / "tokenizer_config.json").read_text())
    described |= {"auto_map": {"AutoTokenizer": ["evil.Evil", None]}, "tokenizer_class": "Evil"}
    (folder / "tokenizer_config.json").write_text(json.dumps(described))
    load.vlm(f"local-dir:{folder}", "cpu")
    assert not harm.exists()


def damaged(folder: Path, what: str) -> None:
    config = folder / "open_clip_config.json"
    described = json.loads(config.read_text())
    if what == "no weights":
        (folder / "open_clip_model.safetensors").unlink()
    elif what == "half a file":
        file = folder / "open_clip_model.safetensors"
        file.write_bytes(file.read_bytes()[:5000])
    elif what == "another architecture":
        described["model_cfg"]["vision_cfg"]["width"] = 96
    elif what == "an unknown key":
        described["model_cfg"]["vision_cfg"]["depth"] = 9
    elif what == "no model":
        described = {"size": 224}
    elif what == "not square":
        described["model_cfg"]["vision_cfg"]["image_size"] = [64, 32]
    config.write_text("{" if what == "no JSON" else json.dumps(described))


@pytest.mark.parametrize(
    "what", ["no weights", "half a file", "another architecture", "an unknown key", "no model", "no JSON", "not square"]
)
def test_a_damaged_folder_says_what_is_wrong(tmp_path: Path, what: str) -> None:
    damaged(write_clip(tmp_path / "model"), what)
    refused = refusal(f"local-dir:{tmp_path / 'model'}")
    assert "model" in refused.title
    assert len(refused.detail) > 30


def test_a_text_tower_without_its_shape_says_how_to_bring_it(tmp_path: Path, wording: Wording) -> None:
    folder = tmp_path / "model"
    write_text_files(folder)
    (folder / "config.json").unlink()
    text = {"hf_model_name": "owner/bert", "hf_tokenizer_name": "owner/bert", "context_length": 24}
    vision = {"image_size": 64, "layers": 1, "width": 32, "head_width": 32, "patch_size": 16}
    config = {"model_cfg": {"embed_dim": 48, "vision_cfg": vision, "text_cfg": text}, "preprocess_cfg": {}}
    (folder / "open_clip_config.json").write_text(json.dumps(config))
    (folder / "open_clip_model.safetensors").write_bytes(b"")
    refused = refusal(f"local-dir:{folder}")
    assert "is incomplete" in refused.title
    wording(refused.detail, "hf download", "owner/bert config.json --local-dir model")


def test_weights_of_another_kind_are_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.npz").write_bytes(b"")
    values = VALUES | {"source": "open_clip:ViT-B-32", "weights": "weights.npz", "mean": [0.5], "std": [0.5]}
    values |= {"download": {"megabytes": 1, "address": "there", "command": ""}, "sha256": None}
    assert "not a readable weights file" in refusal(str(write_card(tmp_path / "own.toml", values))).title
