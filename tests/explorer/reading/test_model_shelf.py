"""Models chosen by name: each is loaded once, one that failed is tried again, and no other name is taken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from explorer.reading.model_loader import load_classifier
from explorer.reading.model_shelf import ModelShelf
from explorer.reading.reader import ReadingModel
from models import load
from models.cards import registry
from models.cards.card import UnusableModel
from tests.support.model_builders import random_film, write_model
from tests.support.wording import Wording


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with one model of the user's own."""
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setattr(load, "_classifiers", {})
    folder = tmp_path / "models"
    folder.mkdir()
    write_model(folder, "resnet10t", name="tiny", size=64).rename(folder / "tiny.toml")
    return folder


def test_choices_are_the_registered_and_the_own_classifiers(home: Path) -> None:
    found = {each.name: each for each in ModelShelf(lambda name: pytest.fail(name)).choices()}
    assert found["tiny"].own and not found["nih-mini"].own
    assert found["phantom"].simulated and not found["tiny"].simulated
    assert (found["xrv-all"].megabytes, found["tiny"].megabytes) == (28, 0)
    assert "nih-mini-vlm" not in found


def test_a_registered_card_that_is_edited_is_listed_anew(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "REGISTRY", shutil.copytree(registry.REGISTRY, tmp_path / "registry"))
    shelf, path = ModelShelf(lambda name: pytest.fail(name)), tmp_path / "registry" / "nih-mini.toml"

    def title() -> str:
        return next(each.title for each in shelf.choices() if each.name == "nih-mini")

    before = title()
    path.write_text(path.read_text().replace(before, "Another title of it"))
    assert title() == "Another title of it" != before


def test_a_model_is_loaded_once_and_reads(home: Path) -> None:
    asked: list[str] = []

    def loading(name: str) -> ReadingModel:
        asked.append(name)
        return load_classifier(name, "cpu")

    shelf = ModelShelf(loading)
    first = shelf.reader("tiny")
    assert len(first.read(random_film(90, 80)).rows) == 4
    assert shelf.reader("tiny") is first and asked == ["tiny"]


def test_what_failed_is_tried_again(home: Path) -> None:
    shelf = ModelShelf(lambda name: load_classifier(name, "cpu"))
    shutil.move(home / "weights.safetensors", home / "away")
    with pytest.raises(UnusableModel, match="missing"):
        shelf.reader("tiny").read(random_film(90, 80))
    shutil.move(home / "away", home / "weights.safetensors")
    assert len(shelf.reader("tiny").read(random_film(90, 80)).rows) == 4


@pytest.mark.parametrize("name", ["", "gone", "../tiny", "/etc/passwd", "a.pth", "hf-hub:a/b", "nih-mini-vlm"])
def test_no_address_and_no_path_can_be_chosen(name: str, home: Path, wording: Wording) -> None:
    with pytest.raises(UnusableModel) as caught:
        ModelShelf(lambda name: pytest.fail(name)).reader(name)
    wording(caught.value, "model")
