"""Writes the registry file of a finished run."""

from __future__ import annotations

from dataclasses import asdict

from models.training.nih.dataset import NIH_FINDINGS
from models.training.nih.result import OutOfFoldFigures, TrainingResult
from models.training.recipe import IMAGENET
from models.training.shipping.toml_text import rows_by_finding, toml_text


def registry_text(result: TrainingResult) -> str:
    """Return the TOML text for models/cards/classifier_card.py."""
    figures = result.figures
    begun = "" if result.chosen.start == IMAGENET else "simulated films, then on "
    values = {
        "kind": "classifier",
        "name": result.chosen.name,
        "title": f"Demo-grade classifier of {len(NIH_FINDINGS)} findings, trained on {begun}"
        f"{figures.films:,} NIH radiographs",
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
        "findings": list(NIH_FINDINGS.values()),
        "views": ["PA", "AP", "unknown"],
        "heat_maximum": round(result.heat_maximum, 4),
        "licence": "Apache-2.0",
        "citation": "Wang et al., ChestX-ray8, CVPR 2017 (NIH ChestX-ray14 films, NIH Clinical Center)",
    }
    seen = {"center": "NIH", "films": figures.films, "patients": figures.patients, "source": "NIH ChestX-ray14"}
    remarks = {
        "heat_maximum": (
            "Logit contribution: the 99.9th percentile over all maps of all films, each from a model that had not seen "
            "the film."
        )
    }
    return toml_text(
        "Written by `python -m models.training.shipping`; the card beside the weights tells how good the model is.",
        values,
        {"training": [seen], **figure_tables(figures)},
        remarks,
    )


def figure_tables(figures: OutOfFoldFigures) -> dict[str, object]:
    """Return the tables of out-of-fold results."""
    return {
        "warnings": dict(figures.warnings),
        "cannot_judge": dict(figures.cannot_judge),
        "finding_free": asdict(figures.finding_free),
        "operating_points": rows_by_finding(figures.points),
        "band": rows_by_finding(figures.bands),
        "platt": rows_by_finding(figures.platt),
    }
