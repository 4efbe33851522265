"""Reads the out-of-fold scores behind a card, for each finding and for films without any finding."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.core.rates import Rate
from explorer.metrics.calibration_curves import sigmoid
from models.cards.card import Card, UnusableModel

AscendingScores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LabeledScores:
    """Ascending scores by finding: of `every` film (n,), of films `having` that finding, and of films `free` of any.

    Without labels in the file, `free` scores and `having` are empty.
    """

    every: Mapping[str, AscendingScores]
    having: Mapping[str, AscendingScores]
    free: Mapping[str, AscendingScores]


def out_of_fold_scores(card: Card) -> LabeledScores | None:
    """Return the scores in the card's cohort file; None if it names none. Raises UnusableModel for an invalid file."""
    return _read(card.local_file(card.cohort)) if card.cohort else None


def free_in_band(card: Card, finding: str) -> Rate | None:
    """Return how many films without any finding score inside a finding's unsure band; None if unknown.

    These films are among those that were used to choose the band. Raises UnusableModel like `out_of_fold_scores`.
    """
    kept, band = out_of_fold_scores(card), card.bands.get(finding)
    scores = kept.free.get(finding) if kept else None
    if band is None or scores is None or not len(scores):
        return None
    low, high = np.searchsorted(scores, (band.low, band.high), "left")
    return Rate(int(high - low), len(scores))


@lru_cache(maxsize=4)
def _read(path: Path) -> LabeledScores:
    """Read scores and labels; the features, nearly all of the file, are skipped."""
    try:
        with safe_open(path, "np") as file:
            findings = [str(finding) for finding in json.loads(file.metadata()["findings"])]
            logits = file.get_tensor("logits").astype(np.float64)
            labels = file.get_tensor("labels") > 0 if "labels" in file.keys() else None  # noqa: SIM118 - no mapping
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise UnusableModel(
            f"{path.name} is not a cohort file",
            "A cohort file has a tensor `logits`, and `findings` in its metadata. Correct the card.",
        ) from error
    if logits.ndim != 2 or logits.shape[1] != len(findings) or (labels is not None and labels.shape != logits.shape):
        raise UnusableModel(f"{path.name} is not a cohort file", "Its logits need one column per finding.")
    scores = sigmoid(logits)
    abnormal = [k for k, finding in enumerate(findings) if finding not in COMPATIBLE_WITH_NORMAL]
    free = scores[:0] if labels is None else scores[~labels[:, abnormal].any(axis=1)]
    every, free = np.sort(scores, axis=0), np.sort(free, axis=0)
    having = {} if labels is None else {name: np.sort(scores[labels[:, k], k]) for k, name in enumerate(findings)}
    return LabeledScores(
        {finding: every[:, k] for k, finding in enumerate(findings)},
        having,
        {finding: free[:, k] for k, finding in enumerate(findings)},
    )
