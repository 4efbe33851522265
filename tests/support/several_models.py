"""Random small cohorts scored by several models: unknown labels, ties, findings of one class, missing centers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from explorer.cohorts.layout import Folder
from explorer.cohorts.schema import NO_CENTER
from tests.support.small_cohort import Film, write_small

MODELS = ("one", "two", "three")
FINDINGS = ("Mass", "Normal", "Hernia", "Scoliosis", "A name of its own")  # Scoliosis was not seen in training
LABELS = ("present", "absent", "absent", "uncertain", "unknown", None)
CENTERS = ("North", "South", NO_CENTER)


@dataclass(frozen=True)
class SeveralModels:
    """The cohort, and by model its films with that model's scores and its thresholds by finding."""

    folder: Folder
    films: dict[str, list[Film]]
    thresholds: dict[str, dict[str, float]]


def write_several(place: Path, seed: int, n: int, centers: int = 3, models: int = 3) -> SeveralModels:
    """Write a cohort of n films below `place`; a film in ten has no score of a finding by a model."""
    dice = np.random.default_rng(seed)
    plain = [_film(dice, number, n, centers) for number in range(n)]
    films, thresholds = {}, {}
    for model in MODELS[:models]:
        films[model] = [replace(film, scores=_scores(dice)) for film in plain]
        thresholds[model] = {finding: 0.5 for finding in FINDINGS if dice.random() < 0.8}
        folder = write_small(place, films[model], thresholds[model], model=model)
    return SeveralModels(folder, films, thresholds)


def _film(dice: np.random.Generator, number: int, n: int, centers: int) -> Film:
    said = {finding: LABELS[dice.integers(len(LABELS))] for finding in FINDINGS}
    said["Hernia"] = "absent"  # of one class
    return Film(
        f"film {number:03}",
        {finding: label for finding, label in said.items() if label},
        patient=f"patient {dice.integers(n)}" if dice.random() < 0.8 else None,
        center=CENTERS[dice.integers(centers)],
        weight=float(dice.integers(1, 5)),
        view=("PA", "AP")[dice.integers(2)],
    )


def _scores(dice: np.random.Generator) -> dict[str, float]:
    scored = {finding: round(float(dice.random()), 1) for finding in FINDINGS}
    if dice.random() < 0.1:
        scored.pop("Mass")
    return scored
