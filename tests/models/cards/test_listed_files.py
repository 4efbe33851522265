"""Files beside the weights are those whose hashes the card lists, or the model is refused with the file's name."""

from __future__ import annotations

import hashlib
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.asking.validation import validation
from explorer.reading.percentiles import percentile
from explorer.workshop.demo.nih_oof_twin import read_directions
from models import load
from models.anatomy.outliner import ANATOMY_WEIGHTS
from models.cards import classifier_card as cards
from models.cards.card import PROJECT
from models.cards.classifier_card import UnusableModel, classifier_card
from models.cards.registry import REGISTRY
from models.cards.vlm_card import vlm_card
from models.gate import heart_side
from models.gate.statistics import gate_statistics
from models.training.shipping.listed_files import FILES_TABLE_HEADER, write_file_hashes, write_hashes_of_source
from tests.support.model_builders import write_model
from tests.support.shipped_models import OF_NIH_OOF
from tests.support.wording import Wording

SHIPPED = ("lab-class-aware-masks-1", *OF_NIH_OOF, "phantom", "phantom-vlm")


def copied(place: Path, name: str) -> Path:
    """The card of a shipped model with every file that it lists; the weights stay where they are."""
    path = place / f"{name}.toml"
    shutil.copy(REGISTRY / path.name, path)
    for each in tomllib.loads(path.read_text())["files"]:
        (place / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / each, place / each)
    return path


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-len(content) // 3] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_card_lists_its_files_as_they_are(tmp_path: Path, name: str) -> None:
    path = REGISTRY / f"{name}.toml"
    files = tomllib.loads(path.read_text())["files"]
    assert files == {each: hashlib.sha256((PROJECT / each).read_bytes()).hexdigest() for each in files}
    again = copied(tmp_path, name)
    again.write_text(again.read_text().partition(FILES_TABLE_HEADER)[0])
    write_file_hashes(again)
    assert again.read_bytes() == path.read_bytes()


def test_every_file_among_the_weights_has_a_hash_in_a_card() -> None:
    tables = [tomllib.loads((REGISTRY / f"{name}.toml").read_text()) for name in SHIPPED]
    known = {each for table in tables for each in (*table["files"], table.get("weights"))} - {None}
    # Of the gate itself and of anatomy, with their hashes beside the code.
    known |= {each.relative_to(PROJECT).as_posix() for each in (heart_side.HEART_SIDE_WEIGHTS, ANATOMY_WEIGHTS)}
    there = {
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "models" / "weights").rglob("*")
        if path.is_file() and path.suffix != ".md" and path.name != "NOTICE"
    }
    assert known == there


READERS: dict[str, tuple[str, Callable[[str], object]]] = {
    "nih-mini.gate.safetensors": ("nih-mini", lambda path: gate_statistics(classifier_card(path))),
    "nih-mini.oof.safetensors": ("nih-mini", lambda path: percentile(classifier_card(path), "Mass", 0.5)),
    "phantom.gate.safetensors": ("phantom", lambda path: gate_statistics(classifier_card(path))),
    "nih-mini-vlm.oof.safetensors": ("nih-mini-vlm", lambda path: validation(vlm_card(path))),
    "nih-mini-vlm.directions.safetensors": ("nih-mini-vlm", lambda path: read_directions(vlm_card(path), ["Mass"])),
    "phantom-vlm.validation.safetensors": ("phantom-vlm", lambda path: validation(vlm_card(path))),
}


@pytest.mark.parametrize("file", READERS)
def test_a_file_with_one_other_bit_is_refused(tmp_path: Path, file: str, wording: Wording) -> None:
    name, read = READERS[file]
    path = str(copied(tmp_path, name))
    assert read(path) is not None
    flipped(tmp_path / "models" / "weights" / file)
    with pytest.raises(UnusableModel) as refused:
        read(path)
    wording(refused.value.title, file, name)
    assert "Restore the file" in refused.value.detail


@pytest.mark.parametrize("file", ["vocab.txt", "tokenizer.json", "config.json", "open_clip_config.json"])
def test_a_text_tower_with_another_file_is_not_opened(tmp_path: Path, file: str, wording: Wording) -> None:
    path = copied(tmp_path, "nih-mini-vlm")
    folder = tmp_path / "models" / "weights" / "nih-mini-vlm"
    shutil.copy(PROJECT / "models" / "weights" / "nih-mini-vlm" / "open_clip_model.safetensors", folder)
    text = (folder / file).read_text(encoding="utf-8")
    (folder / file).write_text(f"{text}\n", encoding="utf-8")
    with pytest.raises(UnusableModel) as caught:
        load.vlm(str(path), "cpu").embed_texts(["mass"])
    wording(caught.value.title, file, "nih-mini-vlm")


def test_a_listed_file_that_is_not_there_is_named(tmp_path: Path, wording: Wording) -> None:
    path = write_model(tmp_path, "test_resnet", gate="own.gate", files={"own.gate": "0" * 64})
    with pytest.raises(UnusableModel) as caught:
        gate_statistics(classifier_card(str(path)))
    wording(caught.value, "own.gate")
    (tmp_path / "own.gate").mkdir()
    with pytest.raises(UnusableModel) as caught:
        gate_statistics(classifier_card(str(path)))
    wording(caught.value, "own.gate")


@pytest.mark.parametrize("files", [{"a": "abc"}, {"a": 7}, {"a": "0" * 63 + "G"}])
def test_a_hash_that_is_none_is_a_wrong_card(tmp_path: Path, files: dict[str, object], wording: Wording) -> None:
    path = write_model(tmp_path, "test_resnet", files=files)
    with pytest.raises(UnusableModel) as caught:
        cards.classifier_card(str(path))
    wording(caught.value, "own.toml", "'a'")


def test_who_shares_a_folder_has_its_files_listed_anew(tmp_path: Path) -> None:
    cards = [copied(tmp_path, name) for name in ("nih-mini-vlm", "phantom-vlm", "phantom")]
    before = [path.read_text() for path in cards]
    vocabulary = "models/weights/nih-mini-vlm/vocab.txt"
    (tmp_path / vocabulary).write_text("mass\n")
    write_hashes_of_source(tmp_path, "local-dir:models/weights/nih-mini-vlm")
    wanted = hashlib.sha256(b"mass\n").hexdigest()
    assert [tomllib.loads(path.read_text())["files"].get(vocabulary) for path in cards] == [wanted, wanted, None]
    assert cards[2].read_text() == before[2]


def test_the_list_is_written_anew_and_nothing_else_changes(tmp_path: Path) -> None:
    path = write_model(tmp_path, "test_resnet", gate="own.gate")
    text = path.read_text()
    for content in (b"1", b"22"):
        (tmp_path / "own.gate").write_bytes(content)
        write_file_hashes(path)
        assert path.read_text().startswith(text)
        assert tomllib.loads(path.read_text())["files"] == {"own.gate": hashlib.sha256(content).hexdigest()}
