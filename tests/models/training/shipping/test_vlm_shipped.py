"""The shipped twin: its folder is nih-mini and MiniLM, and its card says what its numbers say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import open_clip
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from models import load
from models.cards.card import PROJECT
from models.cards.vlm_card import vlm_card
from models.prompts.templates import prompt_set
from models.prompts.terms import terms
from models.training.nih.result import MIN_POSITIVES, operating_point
from models.training.score import pair_auroc
from models.training.shipping.vlm.captions import CAPTION_TEMPLATES
from models.training.shipping.vlm.figures import FINDING_NAMES, MARGIN_RULE
from tests.support.model_builders import random_film

NAME = "nih-mini-vlm"
WEIGHTS = PROJECT / "models" / "weights"
FOLDER = WEIGHTS / NAME
CARD = (WEIGHTS / f"{NAME}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def numbers() -> dict[str, np.ndarray]:
    with safe_open(WEIGHTS / f"{NAME}.oof.safetensors", "np") as file:
        found = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a dict
        return found | {key: np.array(json.loads(text)) for key, text in file.metadata().items()}


@pytest.fixture(scope="module")
def margins(numbers: dict[str, np.ndarray]) -> np.ndarray:
    """Of the standard prompts, by the directions that lie beside the weights: (n, findings)."""
    with safe_open(WEIGHTS / f"{NAME}.directions.safetensors", "np") as file:
        rows = json.loads(file.metadata()["findings"])
        directions = file.get_tensor("directions")[[rows.index(name) for name in FINDING_NAMES]]
    return numbers["embeddings"].astype(np.float32) @ directions.T


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the card's table under a heading, by finding."""
    section = CARD.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return {row[0]: row[1:] for row in rows[2:]}


def value(cell: str) -> float:
    return float(cell.split()[0])


def test_it_fits_in_the_project() -> None:
    size = sum(path.stat().st_size for path in WEIGHTS.glob(f"{NAME}*") if path.is_file())
    size += sum(path.stat().st_size for path in FOLDER.iterdir())
    assert size < 60e6
    assert "Apache License 2.0" in (FOLDER / "NOTICE").read_text(encoding="utf-8")


def test_its_tower_is_nih_minis() -> None:
    shipped, tower = load_file(FOLDER / "open_clip_model.safetensors"), load_file(WEIGHTS / "nih-mini.safetensors")
    named = {key.removeprefix("visual.trunk."): tensor for key, tensor in shipped.items() if "visual.trunk." in key}
    assert named.keys() == {key for key in tower if not key.startswith("classifier")}
    stem = named.pop("conv_stem.weight")
    assert torch.equal(stem[:, :1], tower["conv_stem.weight"])
    assert not stem[:, 1:].any(), "the other channels are not looked at"
    for key, tensor in named.items():
        assert torch.equal(tensor, tower[key]), key


@pytest.mark.processor
def test_plain_open_clip_gives_the_same() -> None:
    text = json.loads((FOLDER / "open_clip_config.json").read_text())["model_cfg"]["text_cfg"]
    model = open_clip.create_model(
        f"local-dir:{FOLDER}", require_pretrained=True, text_cfg=text | {"hf_model_name": str(FOLDER)}
    ).eval()
    twin = load.vlm(NAME, "cpu")
    films = [random_film(200, 150, seed=1), random_film(90, 170, seed=2)]
    inputs = load.classifier("nih-mini", "cpu").inputs(films).expand(-1, 3, -1, -1)
    texts = ["there is no pleural effusion", "enlarged heart", "fluid in the left pleural space"]
    with torch.no_grad():
        images = model.encode_image(inputs, normalize=True).numpy()
        words = model.encode_text(open_clip.get_tokenizer(f"local-dir:{FOLDER}")(texts), normalize=True).numpy()
    np.testing.assert_allclose(twin.embed_images(films), images, atol=1e-5)
    np.testing.assert_allclose(twin.embed_texts(texts), words, atol=1e-5)
    assert twin.scale == pytest.approx(float(model.logit_scale.exp().detach()), rel=1e-6)


def test_its_films_are_those_of_nih_mini(numbers: dict[str, np.ndarray]) -> None:
    with safe_open(WEIGHTS / "nih-mini.oof.safetensors", "np") as file:
        for key in ("image_ids", "patients", "folders", "findings"):
            assert json.loads(file.metadata()[key]) == numbers[key].tolist()
        for key in ("labels", "folds"):
            np.testing.assert_array_equal(file.get_tensor(key), numbers[key])
    np.testing.assert_allclose(np.linalg.norm(numbers["embeddings"].astype(np.float32), axis=1), 1, atol=1e-3)


@pytest.mark.processor
def test_the_card_says_what_the_numbers_say(numbers: dict[str, np.ndarray], margins: np.ndarray) -> None:
    rows = table("Words of its captions")
    assert list(rows) == list(FINDING_NAMES)
    each = []
    for k, name in enumerate(FINDING_NAMES):
        labels = numbers["labels"][:, k]
        auroc = pair_auroc(labels, margins[:, k], numbers["folders"])
        assert value(rows[name][1]) == pytest.approx(auroc, abs=6e-4), name
        assert int(rows[name][0]) == labels.sum()
        each += [auroc] if labels.sum() >= MIN_POSITIVES else []
    macro = re.search(r"\*\*Macro AUROC ([\d.]+) \[", CARD)
    assert macro
    assert float(macro[1]) == pytest.approx(np.mean(each), abs=6e-4)


def test_pleural_effusion_is_found_on_unseen_patients(numbers: dict[str, np.ndarray], margins: np.ndarray) -> None:
    k = FINDING_NAMES.index("Pleural Effusion")
    assert pair_auroc(numbers["labels"][:, k], margins[:, k], numbers["folders"]) >= 0.65
    assert float(table("Words of its captions")["Pleural Effusion"][1].split("[")[1].split("-")[0]) >= 0.65


@pytest.mark.parametrize("finding", ["Pleural Effusion", "Cardiomegaly"])
def test_paraphrases_are_worth_what_the_card_says(numbers: dict[str, np.ndarray], finding: str) -> None:
    twin, k = load.vlm(NAME, "cpu"), FINDING_NAMES.index(finding)
    directions = twin.directions([prompt_set(phrase, CAPTION_TEMPLATES) for phrase in terms()[finding].held_out])
    scores = numbers["embeddings"].astype(np.float32) @ directions.T
    each = [pair_auroc(numbers["labels"][:, k], column, numbers["folders"]) for column in scores.T]
    said = table("Words that no caption holds")[finding]
    found = (np.mean(each), min(each), max(each))
    assert [value(cell) for cell in said[1:4]] == pytest.approx(found, abs=6e-4)


@pytest.mark.processor
def test_the_registry_agrees(numbers: dict[str, np.ndarray], margins: np.ndarray) -> None:
    described, rows = vlm_card(NAME), table("Operating points")
    assert described.captions == FINDING_NAMES
    assert described.templates == CAPTION_TEMPLATES
    assert (described.tower, described.licence) == ("nih-mini", "Apache-2.0")
    assert [(each.films, each.patients) for each in described.training] == [
        (len(margins), len(set(numbers["patients"].tolist())))
    ]
    assert list(described.operating_points) == list(rows)
    for name, point in described.operating_points.items():
        k = FINDING_NAMES.index(name)
        counted = operating_point(numbers["labels"][:, k] > 0, margins[:, k], numbers["folds"], MARGIN_RULE)
        assert (point.positives, point.negatives) == (counted.positives, counted.negatives)
        assert point.threshold == pytest.approx(counted.threshold, abs=2e-6)
        assert point.sensitivity == pytest.approx(counted.sensitivity, abs=0.01)
        assert value(rows[name][0]) == pytest.approx(point.threshold, abs=6e-6)
        assert value(rows[name][1]) == pytest.approx(point.sensitivity, abs=6e-3)
    assert described.maps is not None and "`nih-mini-vlm.maps.toml`" in CARD
    for name, said in described.warnings.items():
        assert f"- {name}: {said}" in CARD


def test_margins_are_spread_around_none(margins: np.ndarray) -> None:
    logits = load.vlm(NAME, "cpu").scale * margins
    assert 0.3 < logits.std(0).mean() < 3
    assert np.abs(np.median(logits, axis=0)).max() < 2.5, "an even score is among those of the films"


def test_every_file_of_the_folder_is_needed() -> None:
    assert {path.name for path in Path(FOLDER).iterdir()} == {
        "NOTICE",
        "config.json",
        "open_clip_config.json",
        "open_clip_model.safetensors",
        "special_tokens_map.json",
        "tokenizer.json",
        "tokenizer_config.json",
        "vocab.txt",
    }
