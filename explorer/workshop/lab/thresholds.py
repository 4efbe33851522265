"""Converts a training's logits to scores, and chooses thresholds on validation films."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.workshop.lab.trained import FilmLogits
from models.statistics import youden_threshold


def to_scores(films: FilmLogits) -> NDArray[np.float32]:
    """Return scores (n, findings) from 0 to 1."""
    found: NDArray[np.float32] = expit(films.logits.astype(np.float64)).astype(np.float32)
    return found


def validation_thresholds(films: FilmLogits, findings: Sequence[str]) -> dict[str, float]:
    """Return Youden's thresholds on films with known labels, for findings that some of them have and others lack."""
    found, every = {}, to_scores(films)
    for k, finding in enumerate(findings):
        known = ~np.isnan(films.labels[:, k])
        present = films.labels[known, k] > 0.5
        if present.any() and not present.all():
            found[finding] = round(youden_threshold(present, every[known, k]), 6)
    return found
