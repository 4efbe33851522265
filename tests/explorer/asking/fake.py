"""An image-text model without weights: a text is the sum of its words' random vectors, turned round by a negation."""

from __future__ import annotations

import json
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from explorer.reading.finding_list import finding_rows
from explorer.reading.reader import Reading
from models.cards.vlm_card import VlmCard, vlm_card
from models.gate.verdict import GateRefusal, readable_verdict
from models.gate.verdict import refused_verdict as refused_verdict
from models.prompts.templates import PromptSet
from models.radiograph import Radiograph
from tests.support.cards import card_of

Floats = NDArray[np.float32]
WIDTH = 64
FINDINGS = ("Pleural Effusion", "Mass", "Hernia")
SMALL_WORDS = {
    "no",
    "not",
    "without",
    "there",
    "is",
    "evidence",
    "of",
    "chest",
    "radiograph",
    "with",
    "the",
    "film",
} | {
    "shows",
    "does",
    "show",
    "findings",
    "are",
    "consistent",
}
WET = {"effusion", "fluid", "water", "hydrothorax", "costophrenic"}  # one meaning
FILMS = 300


@dataclass(frozen=True)
class Box:
    size: int = 96
    inner: tuple[int, int] = (96, 48)
    offset: tuple[int, int] = (0, 24)


@dataclass(frozen=True)
class FakeHeat:
    map: Floats
    box: Box = field(default_factory=Box)


def unit(vectors: Floats) -> Floats:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def text_vector(text: str) -> Floats:
    words = text.casefold().split()
    told = [word for word in words if word not in SMALL_WORDS] or words
    if not WET.isdisjoint(told):
        told = ["effusion"] * 4 + told
    seeds = [np.random.default_rng(zlib.crc32(word.encode())) for word in told]
    total = np.sum([seed.normal(size=WIDTH) for seed in seeds], axis=0)
    return unit(total.astype(np.float32)) * (-1 if {"no", "not", "without"} & set(words) else 1)


class FakeVlm:
    """Fulfils `explorer.asking.model.TextModel`; counts what is computed."""

    device = "cpu"
    scale = 10.0

    def __init__(self, card: VlmCard) -> None:
        self.card = card
        self.texts: list[str] = []
        self.images = self.running = self.most = 0
        self._count = threading.Lock()

    def embed_texts(self, texts: Sequence[str]) -> Floats:
        self.texts += texts
        return np.stack([text_vector(text) for text in texts])

    def directions(self, prompt_sets: Sequence[PromptSet]) -> Floats:
        return np.stack([self._side(each.positive) - self._side(each.negative) for each in prompt_sets])

    def _side(self, texts: Sequence[str]) -> Floats:
        return unit(self.embed_texts(texts).mean(axis=0))

    def project(self, features: Floats) -> Floats:
        return unit(features)

    def embed_images(self, radiographs: Sequence[Radiograph]) -> Floats:
        self.images += len(radiographs)
        return unit(np.ones((len(radiographs), WIDTH), np.float32))

    def explain(self, radiograph: Radiograph, prompts: PromptSet) -> FakeHeat:
        with self._count:
            self.running += 1
            self.most = max(self.most, self.running)
        threading.Event().wait(0.01)
        with self._count:
            self.running -= 1
        return FakeHeat(np.full((3, 3), len(prompts.positive), np.float32))


def fake_card(folder: Path, **changes: object) -> VlmCard:
    """A card with validation films beside it: effusions are seen, masses are chance, of hernias there are none."""
    write_validation(folder / "films.safetensors")
    plain: dict[str, object] = {"name": "fake", "tower": "five", "validation": "films.safetensors", "folder": folder}
    return replace(vlm_card("chexzero"), **(plain | {"captions": FINDINGS} | changes))  # type: ignore[arg-type]


def write_validation(path: Path, **changes: object) -> None:
    random = np.random.default_rng(0)
    labels = np.zeros((FILMS, 3), np.uint8)
    labels[:, 0], labels[:, 1] = random.random(FILMS) < 0.3, random.random(FILMS) < 0.2
    noise = random.normal(size=(FILMS, WIDTH)) / 8
    embeddings = unit((noise + 0.3 * labels[:, :1] * text_vector("effusion")).astype(np.float32))
    folds = np.arange(FILMS, dtype=np.uint8) // 2 % 5
    tensors = {"embeddings": embeddings.astype(np.float16), "labels": labels, "folds": folds}
    patients = [f"p{number // 2}" for number in range(FILMS)]
    about = {"findings": json.dumps(FINDINGS), "patients": json.dumps(patients)}
    for name, value in changes.items():
        (about if isinstance(value, str) else tensors)[name] = value  # type: ignore[index, assignment]
    save_file(tensors, path, about)


def film() -> Radiograph:
    return Radiograph.from_pixels(np.zeros((64, 48), np.float32), view="PA")


def reading_of(features: Floats, refused: bool = False, card_name: str = "five") -> Reading:
    """What a classifier of two findings said of a film with these features (d,)."""
    card = card_of(("Pleural Effusion", "Edema"), {"Pleural Effusion": 0.4}, name=card_name)
    objection = GateRefusal("blank", "There is nothing on the film.", "Export it again.")
    verdict = refused_verdict(objection, {}, ()) if refused else readable_verdict({}, ())
    rows = finding_rows(card, np.array([0.7, 0.2], np.float32))
    return Reading(verdict, rows, features, card, "cpu", 0.0, 0.0, 0.0)
