"""A small cohort that two models scored and two sources label, not always alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from explorer.cohorts.layout import Folder
from tests.support.small_cohort import Film, write_small

NAME = "two-sources"
MODELS = ("first", "second")
FILMS = 60
FINDINGS = ("Mass", "Nodule", "Hernia")


def two_sources(place: Path) -> Folder:
    """Write the cohort below `place`; the source `readers` says otherwise of one label in ten."""
    dice = np.random.default_rng(0)
    present = dice.random((FILMS, len(FINDINGS))) < 0.4
    read = present ^ (dice.random(present.shape) < 0.1)
    for model in MODELS:
        scores = np.clip(0.3 + 0.25 * present + 0.2 * dice.standard_normal(present.shape), 0.01, 0.99)
        films = [
            Film(f"{number:02}", _labels(present[number]), _scores(row), others={"readers": _labels(read[number])})
            for number, row in enumerate(scores)
        ]
        folder = write_small(place, films, dict.fromkeys(FINDINGS, 0.5), name=NAME, model=model)
    return folder


def _labels(present: np.ndarray) -> dict[str, str]:
    return {finding: "present" if there else "absent" for finding, there in zip(FINDINGS, present, strict=True)}


def _scores(row: np.ndarray) -> dict[str, float]:
    return dict(zip(FINDINGS, map(float, row), strict=True))
