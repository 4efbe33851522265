"""Reads and writes the stored numbers of a model for NIH films: out-of-fold logits, labels and folds, but no images.

Cards, unsure bands, ensembles and the cohort nih-oof are computed from them without any film.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file

from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import classifier_card
from models.training.films import TrainingFilms
from models.whole_file import atomic_write


@dataclass(frozen=True, slots=True, eq=False)
class KeptNumbers:
    """One row per film. The features come from the shipped model, which was trained on these films, so they are valid
    for similarity but not for accuracy. The features of the five folds' models are not comparable with one another.
    """

    findings: tuple[str, ...]
    image_ids: list[str]
    files: list[str]
    patients: list[str]
    folders: list[str]
    labels: NDArray[np.bool_]  # (n, findings)
    logits: NDArray[np.float32]  # (n, findings), each from a model that saw no film of the patient
    folds: NDArray[np.uint8]  # (n,)
    traits: NDArray[np.float32]  # (n, 3): AP view, male, age / 100; NaN where unknown
    features: NDArray[np.float16] | None  # (n, d); an ensemble uses its first member's

    @property
    def films(self) -> TrainingFilms:
        """The films without their pixels."""
        return TrainingFilms(
            image_ids=tuple(self.image_ids),
            paths=(),
            pixels=np.empty((len(self.image_ids), 0, 0), dtype=np.uint8),
            labels=self.labels.astype(np.float32),
            patients=np.array(self.patients),
            folders=np.array(self.folders),
            sharp=np.zeros(len(self.image_ids), dtype=bool),
            traits=self.traits,
        )

    def write(self, target: Path) -> None:
        """Write the numbers into a file atomically."""
        tensors: dict[str, NDArray[np.generic]] = {
            "logits": self.logits,
            "labels": self.labels.astype(np.uint8),
            "folds": self.folds,
            "traits": self.traits,
        }
        if self.features is not None:
            tensors["features"] = self.features
        words = {name: getattr(self, name) for name in ("findings", "image_ids", "patients", "folders", "files")}
        with atomic_write(target) as partial:
            save_file(tensors, partial, {name: json.dumps(values) for name, values in words.items()})


def comparable_numbers(cards: Sequence[Card]) -> tuple[KeptNumbers, ...]:
    """Return the stored numbers of models that share their films. Raises UnusableModel if films or folds differ."""
    first, *others = found = tuple(map(kept_numbers, cards))
    for of, other in zip(cards[1:], others, strict=True):
        same = (other.image_ids, other.findings) == (first.image_ids, first.findings)
        if not same or not np.array_equal(other.folds, first.folds):
            raise UnusableModel(
                f"{of.name} was trained on other films than {cards[0].name}",
                "Train both on the same films, in the same folds.",
            )
    return found


def kept_numbers(of: Card) -> KeptNumbers:
    """Return the numbers in the file that a card names as its cohort. Raises UnusableModel if missing or altered."""
    assert of.cohort is not None
    with safe_open(of.local_file(of.cohort), "np") as file:
        words: dict[str, Any] = {name: json.loads(text) for name, text in file.metadata().items()}
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - the file is not a mapping
    own = tensors.get("features")
    return KeptNumbers(
        findings=tuple(words["findings"]),
        image_ids=words["image_ids"],
        files=words["files"],
        patients=words["patients"],
        folders=words["folders"],
        labels=tensors["labels"].astype(bool),
        logits=tensors["logits"],
        folds=tensors["folds"],
        traits=tensors["traits"],
        features=kept_numbers(classifier_card(of.members[0].name)).features if own is None and of.members else own,
    )
