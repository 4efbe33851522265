"""A small simulated cohort that a model with random weights has scored, and the app that has both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.scoring.run import score_cohort
from explorer.store.slices import Slice
from models import load
from tests.support.model_builders import write_model
from tests.support.small_phantom import write_phantom

COHORT, MODEL, DRAWN = "small-phantom", "tiny", "drawn"
CALLED = {"threshold": 0.0, "rule": "always", "sensitivity": 1.0, "specificity": 0.0, "positives": 2, "negatives": 6}
EFFUSION = Slice(COHORT, MODEL, finding="Pleural Effusion")


@dataclass(frozen=True)
class Phantom:
    """The cohort's folder and the card of the model for simulated films."""

    folder: Folder
    card: Path


def phantom(place: Path) -> Phantom:
    """Write both below `place`; the model calls an effusion on every film."""
    card = write_model(
        place, "test_resnet", name=MODEL, films="simulated", views=["PA", "AP"], heat_maximum=1.0,
        operating_points={"Pleural Effusion": CALLED},
    )  # fmt: skip
    folder = write_phantom(place / "cohorts", COHORT, DRAWN)
    score_cohort(folder, load.classifier(str(card), "cpu"), Images({}))
    return Phantom(folder, card)
