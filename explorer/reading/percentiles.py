"""Where a score lies among the scores of a cohort of films: the only word on a finding without a threshold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from explorer.metrics.calibration_curves import sigmoid
from models.cards.card import Card, UnusableModel

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Percentile:
    """`value` % of `n` films score lower, films that score the same counted half."""

    value: float
    n: int


def percentile(card: Card, finding: str, score: float) -> Percentile | None:
    """Where `score` lies among the out-of-fold scores of the card's cohort; None where it has none for the finding.

    Raises UnusableModel where the card names a cohort that cannot be read.
    """
    scores = _cohort(card.local_file(card.cohort)).get(finding) if card.cohort else None
    if scores is None or not len(scores):
        return None
    return Percentile(float(places(np.asarray(score), scores)), len(scores))


def places(values: NDArray[np.floating], ascending: NDArray[np.floating]) -> NDArray[np.float64]:
    """The percentile of each value: % of the others (n,), one or more, that are lower, equal ones counted half."""
    below, not_above = np.searchsorted(ascending, values, "left"), np.searchsorted(ascending, values, "right")
    place: NDArray[np.float64] = 50 * (below + not_above) / len(ascending)
    return place


@lru_cache(maxsize=4)
def _cohort(path: Path) -> Mapping[str, Scores]:
    """Every finding's scores (n,) in ascending order; the features in the file, nearly all of it, are not read."""
    try:
        with safe_open(path, "np") as file:
            findings = json.loads(file.metadata()["findings"])
            logits = file.get_tensor("logits").astype(np.float64)
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UnusableModel(
            f"{path.name} is not a cohort", "It has a tensor `logits` and `findings` in its metadata. Correct the card."
        ) from error
    if logits.ndim != 2 or logits.shape[1] != len(findings):
        raise UnusableModel(f"{path.name} is not a cohort", "Its logits have one column for each of its findings.")
    scores = np.sort(sigmoid(logits), axis=0)
    return {str(finding): scores[:, k] for k, finding in enumerate(findings)}
