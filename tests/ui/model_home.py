"""Models of the visitor's own below a home: small, without its weights, and slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import model_builders
from tests.support.model_builders import write_model

FINDINGS = ["Mass", "Fibrosis", "Lung Lesion", "Pleural Effusion", "Edema"]  # of `tiny`
CUTS = {"Fibrosis": 0.001, "Pleural Effusion": 0.999, "Edema": 0.999, "Lung Lesion": 0.001}


def write_models(folder: Path) -> None:
    """`tiny` of random weights, `gone` whose weights are not there, and `slow`, which takes most of a second a film.

    `tiny` reads laterals, and takes the mean of a study's films.
    """
    folder.mkdir(parents=True)
    kept(write_model(folder, "resnet10t", name="gone", size=64), weights="away.pt").unlink()
    points = {name: {"threshold": cut, "rule": "for a test"} for name, cut in CUTS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_builders, "FINDINGS", tuple(FINDINGS))
        facts = {"findings": FINDINGS, "operating_points": points, "views": ["PA", "AP", "lateral"], "study": "mean"}
        kept(write_model(folder, "resnet10t", name="tiny", size=64, **facts))
    kept(write_model(folder, "resnet18", name="slow", size=768, views=["PA", "AP", "unknown"]))


def kept(card: Path, weights: str = "") -> Path:
    """The card's file named as the model is, and so are its weights, whose place is returned."""
    text = card.read_text()
    name = text.partition('name = "')[2].partition('"')[0]
    place = card.with_name(weights or f"{name}.safetensors")
    card.with_name("weights.safetensors").rename(place)
    card.with_name(f"{name}.toml").write_text(text.replace("weights.safetensors", place.name))
    card.unlink()
    return place
