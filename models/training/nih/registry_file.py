"""The registry file of a finished run."""

from __future__ import annotations

from dataclasses import asdict

from models.training.nih.dataset import FINDINGS
from models.training.nih.result import Result
from models.training.recipe import IMAGENET
from models.training.toml_text import by_finding, toml_text


def registry_file(result: Result) -> str:
    """The TOML text that models/cards/classifier_card.py reads."""
    values = {
        "kind": "classifier",
        "name": result.chosen.name,
        "title": f"Demo-grade classifier of {len(FINDINGS)} findings, {_begun(result)}{result.films:,} NIH radiographs",
        "architecture": result.chosen.recipe.architecture,
        "in_chans": 1,
        "size": result.chosen.recipe.size,
        "resize": "letterbox",
        "mean": [0.5],
        "std": [0.25],
        "weights": f"models/weights/{result.chosen.name}.safetensors",
        "sha256": result.sha256,
        "gate": f"models/weights/{result.chosen.name}.gate.safetensors",
        "cohort": f"models/weights/{result.chosen.name}.oof.safetensors",
        "findings": list(FINDINGS.values()),
        "views": ["PA", "AP", "unknown"],
        "heat_maximum": round(result.heat_maximum, 4),
        "licence": "Apache-2.0",
        "citation": "Wang et al., ChestX-ray8, CVPR 2017 (NIH ChestX-ray14 films, NIH Clinical Center)",
    }
    seen = {"center": "NIH", "films": result.films, "patients": result.patients, "source": "NIH ChestX-ray14"}
    tables = {
        "training": [seen],
        "warnings": dict(result.warnings),
        "cannot_judge": dict(result.cannot_judge),
        "finding_free": asdict(result.finding_free),
        "operating_points": by_finding(result.points),
        "band": by_finding(result.bands),
        "platt": by_finding(result.platt),
    }
    remarks = {
        "heat_maximum": (
            "Logit contribution: the 99.9th percentile over all maps of all films, each from a model that had not seen "
            "the film."
        )
    }
    return toml_text(
        "Written by `python -m models.training`; the card beside the weights tells how good the model is.",
        values,
        tables,
        remarks,
    )


def _begun(result: Result) -> str:
    return "trained on " if result.chosen.start == IMAGENET else "trained on simulated films, then on "
