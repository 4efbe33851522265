"""The films called present at each center, with films of one patient counted together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from explorer.cohorts.manifest import read_model_manifest
from explorer.metrics.clustered_rates import clustered_rate
from explorer.scoring.shift import called_shift
from tests.support.small_cohort import MODEL, Film, write_small


def test_rates_of_centers_are_clustered_by_patient(tmp_path: Path) -> None:
    dice = np.random.default_rng(2)
    scores, patients = dice.random(60).round(2), dice.integers(0, 12, 60)
    centers = np.where(np.arange(60) < 40, "A", "B")
    films = [
        Film(f"{place:02}", {"Mass": "present"}, {"Mass": float(scores[place])}, center=str(centers[place]))
        for place in range(60)
    ]
    named = [replace(film, patient=f"p{number}") for film, number in zip(films, patients, strict=True)]
    folder = write_small(tmp_path, named, {"Mass": 0.5})
    found = called_shift(folder, folder, read_model_manifest(folder.model(MODEL)))
    for center, rate in zip(found.centers, found.called["Mass"], strict=True):
        here = centers == center
        assert rate == clustered_rate(np.float32(scores)[here] >= 0.5, patients[here]) and rate.independent < rate.n
