"""Cards of image-text models: what is right is read, what is wrong gets a sentence that names the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.core import findings
from models.cards import classifier_card as cards
from models.cards.classifier_card import UnusableModel
from models.cards.registry import registered_names
from models.cards.routing import may_download
from models.cards.vlm_card import vlm_card
from models.prompts.templates import TEMPLATES, Template
from tests.support.model_builders import write_card, write_model
from tests.support.wording import Wording

POINT = {
    "threshold": -0.02,
    "rule": "Youden",
    "sensitivity": 0.8,
    "specificity": 0.7,
    "positives": 30,
    "negatives": 300,
}
VALUES: dict[str, object] = {
    "kind": "vlm",
    "name": "own",
    "title": "A model for tests",
    "architecture": "ViT-B-32",
    "source": "local-dir:weights",
    "weights": "weights/open_clip_model.safetensors",
    "sha256": "0" * 64,
    "size": 224,
    "resize": "longest",
    "training": [],
    "licence": "MIT",
    "citation": "none",
}


def written(folder: Path, **changes: object) -> str:
    return str(write_card(folder / "own.toml", VALUES | changes))


@pytest.mark.parametrize("name", registered_names("vlm"))
def test_registered_cards_are_sound(name: str) -> None:
    card = vlm_card(name)
    assert card.name == name
    assert {*card.captions, *card.operating_points, *card.warnings} <= set(findings.FINDINGS)
    assert len(card.templates) >= 5
    assert (card.download is None) == (card.sha256 is not None), "what is not shipped says where it is"
    if card.download and card.download.command:
        assert card.download.command.endswith(f"--local-dir {name}")
    assert may_download(name) == card.source.startswith("hf-hub:")


def test_classifiers_and_image_text_models_are_told_apart(tmp_path: Path) -> None:
    assert {"whyxrayclip", "biomedclip", "chexzero"} <= set(registered_names("vlm"))
    assert not set(registered_names("vlm")) & set(registered_names(*cards.CARD_KINDS))
    with pytest.raises(UnusableModel, match="kind is 'vlm'"):
        cards.classifier_card(written(tmp_path))
    with pytest.raises(UnusableModel, match="kind is 'classifier'"):
        vlm_card(str(write_model(tmp_path, "test_resnet")))


def test_a_right_card_is_read_whole(tmp_path: Path) -> None:
    download = {"megabytes": 5, "address": "there", "command": "fetch"}
    own = [{"positive": "with {}", "negative": "without {}"}]
    path = written(
        tmp_path, operating_points={"Mass": POINT}, templates=own, download=download, scale=1, captions=["Mass"]
    )
    card = vlm_card(path)
    assert card.operating_points["Mass"].threshold == -0.02
    assert card.templates == (Template("with {}", "without {}"),)
    assert card.download is not None and card.download.megabytes == 5
    assert (card.scale, card.mean, card.tower, card.captions) == (1.0, (), None, ("Mass",))
    assert card.folder == tmp_path
    assert vlm_card(written(tmp_path)).templates == TEMPLATES


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"sizze": 64}, "unknown key 'sizze'"),
        ({"licence": None}, "'licence' missing"),
        ({"kind": "oracle"}, "kind is 'oracle'"),
        ({"kind": None}, "kind is None"),
        ({"size": 4}, "size is 4"),
        ({"resize": "crop"}, "resize is 'crop'"),
        ({"mean": [0.5, 0.5]}, "mean is invalid"),
        ({"std": [0.0]}, "std is not positive"),
        ({"scale": 0}, "scale is 0"),
        ({"heat_maximum": -1.0}, "heat_maximum is -1.0"),
        ({"sha256": "abc"}, "sha256 is invalid"),
        ({"sha256": None}, "'sha256' or 'weights'"),
        ({"source": "s3://bucket"}, "source is 's3://bucket'"),
        ({"source": "open_clip:ViT-B-32", "mean": [0.5], "std": [0.5], "weights": None}, "weights is missing"),
        ({"source": "open_clip:ViT-B-32"}, "'mean' is missing"),
        ({"templates": [{"positive": "{}"}]}, "missing in templates"),
        ({"templates": [{"positive": "{}", "negative": "none"}]}, "cannot be filled"),
        ({"operating_points": {"Mass": POINT | {"sensitivity": 80}}}, "operating_points.Mass"),
        ({"training": [{"center": "NIH"}]}, "missing in training"),
        ({"download": {"megabytes": 5}}, "missing in download"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
def test_a_wrong_card_says_what_is_wrong(
    tmp_path: Path, changes: dict[str, object], words: str, wording: Wording
) -> None:
    with pytest.raises(UnusableModel) as caught:
        vlm_card(written(tmp_path, **changes))
    assert words in caught.value.title
    wording(caught.value.title)
    assert "own.toml" in caught.value.title
    assert caught.value.detail


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hf-hub:owner/repository", True),
        ("open_clip:ViT-B-32/laion2b_s34b_b79k", True),
        ("local-dir:weights", False),
        ("chexzero", False),
        ("no-such-model", False),
    ],
)
def test_who_needs_a_network(name: str, expected: bool) -> None:
    assert may_download(name) == expected
