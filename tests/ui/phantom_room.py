"""A small simulated cohort that a model with random weights has scored, and the app that has both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.score import score
from explorer.slices import Slice
from models import load
from tests.explorer.small_phantom import write_phantom
from tests.models.builders import write_model

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
    score(folder, load.classifier(str(card), "cpu"), Images({}))
    return Phantom(folder, card)
