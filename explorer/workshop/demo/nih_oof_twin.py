"""The second model of the shipped cohort: out-of-fold margins of nih-mini-vlm, from the numbers next to its weights."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open

from models.cards.card import UnusableModel
from models.cards.vlm_card import VlmCard, vlm_card
from models.exact_products import row_products
from models.prompts.standard import prompts_digest, standard_prompts

TWIN = "nih-mini-vlm"
TWIN_RULE = "Youden's J on the out-of-fold margins of the other folds"
TWIN_SPLIT = (
    "out of fold: each margin is from a model that saw no film of that patient, one of five; the embeddings "
    "too, which can be compared all the same, for the text space that they lie in is locked"
)
_ONE = 2.0**24  # directions are rounded to multiples of 1 / _ONE, the resolution of half precision


@dataclass(frozen=True, slots=True, eq=False)
class Twin:
    """Films' margins (n, findings) and unit embeddings (n, d), each from a model that saw no film of the patient."""

    card: VlmCard
    findings: tuple[str, ...]
    margins: NDArray[np.float32]
    embeddings: NDArray[np.float16]
    scale: float


def read_twin(image_ids: Sequence[str], findings: Sequence[str]) -> Twin:
    """Return margins for these films and for the findings that have labels; others cannot be evaluated.

    Raises UnusableModel if the model's files do not fit together.
    """
    card = vlm_card(TWIN)
    assert card.validation is not None
    path = card.local_file(card.validation)
    with safe_open(path, "np") as file:
        if json.loads(file.metadata()["image_ids"]) != list(image_ids):
            raise UnusableModel(f"{path.name} belongs to other films", "Train the model again.")
        embeddings = file.get_tensor("embeddings")
    directions, scale = read_directions(card, findings)
    return Twin(card, tuple(findings), exact_margins(embeddings, directions), embeddings, scale)


def exact_margins(embeddings: NDArray[np.float16], directions: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return margins (n, findings) of embeddings (n, d) along directions (findings, d), equal on every machine."""
    return row_products(embeddings, np.rint(directions.astype(np.float64) * _ONE) / _ONE)


def read_directions(card: VlmCard, findings: Sequence[str]) -> tuple[NDArray[np.float32], float]:
    """Return the directions (findings, d) of the standard prompts, and the model's logit scale.

    Raises UnusableModel if `models.training.shipping.vlm.directions` has not stored them with the model.
    """
    assert card.validation is not None
    path = card.local_file(card.validation).with_name(f"{card.name}.directions.safetensors")
    remedy = f"`python -m models.training.shipping.vlm.directions {card.name}` writes it."
    if not path.is_file():
        raise UnusableModel(f"{path.name} is missing", remedy)
    with safe_open(card.local_file(card.directions or ""), "np") as file:
        about = file.metadata()
        if (about["sha256"], about["prompts"]) != (card.sha256, prompts_digest(standard_prompts(card.templates))):
            raise UnusableModel(f"{path.name} belongs to other weights or prompts", remedy)
        rows = json.loads(about["findings"])
        every = file.get_tensor("directions")
        return every[[rows.index(finding) for finding in findings]], float(about["scale"])
