"""A training's scores, and the thresholds that validation films give them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.workshop.lab.trained import FilmLogits
from models.statistics import youden_threshold


def scores(films: FilmLogits) -> NDArray[np.float32]:
    """Scores (n, findings) from 0 to 1."""
    found: NDArray[np.float32] = expit(films.logits.astype(np.float64)).astype(np.float32)
    return found


def thresholds(films: FilmLogits, findings: Sequence[str]) -> dict[str, float]:
    """Youden's on the films where a finding is known, of findings that some of these have and others do not."""
    found, said = {}, scores(films)
    for k, finding in enumerate(findings):
        known = ~np.isnan(films.labels[:, k])
        present = films.labels[known, k] > 0.5
        if present.any() and not present.all():
            found[finding] = round(youden_threshold(present, said[known, k]), 6)
    return found
