"""Reads an image-text model's validation films, each embedded by a model that saw no film of the same patient."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from explorer.metrics.patient_ids import patient_numbers
from models.cards.card import UnusableModel
from models.cards.vlm_card import VlmCard


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """Unit embeddings (n, d), labels (n, findings), patient numbers (n,) and folds (n,) of the validation films."""

    embeddings: NDArray[np.float32]
    findings: tuple[str, ...]
    labels: NDArray[np.bool_]
    patients: NDArray[np.int64]
    folds: NDArray[np.uint8]
    cohort: str  # in words

    def __len__(self) -> int:
        return len(self.embeddings)

    def labels_of(self, finding: str) -> NDArray[np.bool_] | None:
        """Return a finding's labels (n,); None if it is not labeled."""
        return self.labels[:, self.findings.index(finding)] if finding in self.findings else None


def validation(card: VlmCard) -> Validation | None:
    """Return the card's validation films; None if the card names none. Raises UnusableModel if they cannot be read.

    They are the training films, embedded out of fold, unless `cohort` in the file's metadata names others.
    """
    return None if card.validation is None else _validation(card.local_file(card.validation), _cohort(card))


def _cohort(card: VlmCard) -> str:
    return ", ".join(f"{each.films:,} films of {each.source}" for each in card.training) + ", out of fold"


@lru_cache(maxsize=2)
def _validation(path: Path, cohort: str) -> Validation:
    try:
        with safe_open(path, "np") as file:
            about = file.metadata()
            patients = json.loads(about["patients"])
            found = Validation(
                file.get_tensor("embeddings").astype(np.float32),
                tuple(json.loads(about["findings"])),
                file.get_tensor("labels").astype(bool),
                patient_numbers(patients),
                file.get_tensor("folds"),
                about.get("cohort", cohort),
            )
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UnusableModel(
            f"{path.name} has no validation films",
            "It needs tensors `embeddings`, `labels` and `folds`, and `findings` and `patients` in its metadata.",
        ) from error
    if found.labels.shape != (len(found), len(found.findings)) or len(found.patients) != len(found):
        raise UnusableModel(f"{path.name} has no validation films", "It needs one row per film. Correct the card.")
    return found
