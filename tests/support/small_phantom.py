"""A small simulated cohort on disk: a few films of both centers, with scores that nobody's model gave."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.layout import Folder
from explorer.simulator import CENTERS, describe
from explorer.simulator.address import PhantomFilm as Address
from explorer.simulator.address import make_address
from tests.support.small_cohort import Film, write_small

MODEL = "phantom"
DRAWN = (["Pneumothorax"], ["Cardiomegaly", "Pleural Effusion"], ["Kyphosis"], [])
FINDINGS = ("Cardiomegaly", "Kyphosis", "Normal", "Pleural Effusion", "Pneumothorax")


def write_phantom(place: Path, name: str = "phantom", model: str = MODEL, sha256: str | None = None) -> Folder:
    """Eight films, four of each center; every score is drawn, so that there are hits and misses."""
    films = [_film(center, seed, findings) for center in CENTERS for seed, findings in enumerate(DRAWN)]
    return write_small(
        place, films, dict.fromkeys(FINDINGS, 0.5), name=name, model=model, sha256=sha256, simulated=True
    )


def _film(center: str, seed: int, findings: list[str]) -> Film:
    patient, film = describe(seed, center), Address(center, seed, ())  # type: ignore[arg-type]
    present = set(findings) or {"Normal"}
    scores = np.random.default_rng([seed, ord(center)]).uniform(0.1, 0.9, len(FINDINGS))
    return Film(
        film.case,
        {finding: "present" if finding in present else "absent" for finding in FINDINGS},
        dict(zip(FINDINGS, scores.round(3).tolist(), strict=True)),
        patient=film.case,
        center=f"phantom {center}",
        view=patient.view,
        features=[1.0, seed / 10, float(center == "B")],
        root=PHANTOM,
        file=make_address(center, seed, findings),  # type: ignore[arg-type]
        sex=patient.sex,
        age=patient.age,
        weight=0.5 if findings else 2.5,  # three of four have a finding, as nature has one of four
    )
