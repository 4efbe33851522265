"""Measures how many findings a model flags, or is unsure about, on films without any finding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.array_types import Bools
from models.cards.card import FindingFree
from models.statistics import mean_intervals


def finding_free(above: Bools, unsure: Bools, patients: NDArray[np.str_], measured: str) -> FindingFree:
    """Return mean counts per film, given which findings are `above` or `unsure` (n, findings) on finding-free films.

    The 95 % intervals resample `patients` (n,). Raises ValueError if there are no films.
    """
    if not len(patients):
        raise ValueError("There are no films to average over.")
    counts = np.stack([above.sum(axis=1), unsure.sum(axis=1)], axis=1).astype(np.float64)
    (above_mean, unsure_mean), (above_low, unsure_low), (above_high, unsure_high) = mean_intervals(counts, patients)
    return FindingFree(
        films=len(patients),
        above=round(float(above_mean), 3),
        above_low=round(float(above_low), 3),
        above_high=round(float(above_high), 3),
        unsure=round(float(unsure_mean), 3),
        unsure_low=round(float(unsure_low), 3),
        unsure_high=round(float(unsure_high), 3),
        measured=measured,
    )


def finding_free_words(free: FindingFree) -> str:
    """Return the counts as a sentence for a model's card."""
    return (
        f"{free.above:.2f} [{free.above_low:.2f}-{free.above_high:.2f}] above and {free.unsure:.2f} "
        f"[{free.unsure_low:.2f}-{free.unsure_high:.2f}] unsure, n {free.films:,} films; findings that the model "
        "cannot judge are not counted."
    )
