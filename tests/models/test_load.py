"""From a name or a user's own TOML to a ready model, and the sentences where that fails."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from models import load
from models.cards.card import UnusableModel
from tests.support.model_builders import random_film, write_model
from tests.support.wording import Wording


def test_the_shipped_model_loads_once_per_process() -> None:
    model = load.classifier("nih-mini", "cpu")
    assert model is load.classifier("nih-mini", "cpu")
    assert model.device == "cpu"
    assert model.findings == model.card.findings
    assert model.score([random_film(64, 64)]).shape == (1, len(model.findings))


def test_an_own_card_works_wherever_a_name_does(tmp_path: Path) -> None:
    assert load.classifier(str(write_model(tmp_path, "test_resnet")), "cpu").card.name == "own"


def test_shipped_weights_are_small_and_hold_no_pickle() -> None:
    folder = Path(__file__).parents[2] / "models" / "weights"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.suffix for path in files if path.name != "NOTICE"} <= {".safetensors", ".md", ".json", ".toml", ".txt"}
    assert (folder / "nih-mini.safetensors").stat().st_size < 7.5e6
    assert (folder / "nih-mini-vlm" / "open_clip_model.safetensors").stat().st_size < 60e6


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sha256": "0" * 64}, "ones its card names"),
        ({"weights": "gone.safetensors"}, "is missing"),
        ({"architecture": "no_such_net"}, "timm has no architecture"),
        ({"architecture": "test_convnext"}, "do not fit"),
        ({"findings": ["Mass"]}, "do not fit"),
        ({"weights": "hf-hub:nobody/nothing"}, "could not be downloaded"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_cannot_be_loaded_says_why(
    tmp_path: Path, changes: dict[str, object], words: str, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    path = write_model(tmp_path, "test_resnet", **changes)
    with pytest.raises(UnusableModel) as caught:
        load.classifier(str(path), "cpu")
    assert words in caught.value.title
    wording(caught.value.title)
    assert len(caught.value.detail) > 20


def test_a_file_that_is_no_safetensors_is_refused(tmp_path: Path) -> None:
    import hashlib
    import pickle

    path = write_model(tmp_path, "test_resnet")
    pickled = pickle.dumps({"weight": 1})
    (tmp_path / "weights.safetensors").write_bytes(pickled)
    path.write_text(
        "\n".join(
            f'sha256 = "{hashlib.sha256(pickled).hexdigest()}"' if line.startswith("sha256") else line
            for line in path.read_text().splitlines()
        )
    )
    with pytest.raises(UnusableModel, match="not a safetensors file"):
        load.classifier(str(path), "cpu")


def test_devices() -> None:
    with pytest.raises(UnusableModel, match="There is no device"):
        load.classifier("nih-mini", "tpu")
    if not torch.cuda.is_available():
        with pytest.raises(UnusableModel, match="no usable cuda"):
            load.classifier("nih-mini", "cuda")
