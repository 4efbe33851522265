"""Writes the registry file of nih-mini-vlm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from models.cards.card import Card, CardPoint
from models.prompts.templates import Template
from models.training.shipping.toml_text import rows_by_finding, toml_text

CAPTIONS_REMARK = "Findings that its training captions name, all of them as present and as absent."


def vlm_registry_text(
    name: str,
    tower: Card,
    sha256: str,
    templates: Sequence[Template],
    captions: Sequence[str],
    points: Mapping[str, CardPoint],
    warnings: Mapping[str, str],
    heat_maximum: float,
) -> str:
    """Return the TOML text for models/cards/vlm_card.py; `tower` is the classifier whose features are projected."""
    values = {
        "kind": "vlm",
        "name": name,
        "title": f"Demo-grade zero-shot twin of {tower.name}: its features in the text space of all-MiniLM-L6-v2",
        "architecture": tower.architecture,
        "source": f"local-dir:models/weights/{name}",
        "weights": f"models/weights/{name}/open_clip_model.safetensors",
        "sha256": sha256,
        "tower": tower.name,
        "size": tower.size,
        "resize": "letterbox",
        "mean": list(tower.mean),
        "std": list(tower.std),
        "captions": list(captions),
        "heat_maximum": round(heat_maximum, 6),
        "validation": f"models/weights/{name}.oof.safetensors",
        "licence": "Apache-2.0",
        "citation": (
            "Zhai et al., LiT, CVPR 2022; Reimers and Gurevych, EMNLP 2019; Wang et al., ChestX-ray8, CVPR 2017"
        ),
    }
    tables = {
        "templates": [asdict(each) for each in templates],
        "training": [asdict(tower.training[0])],
        "warnings": dict(warnings),
        "operating_points": rows_by_finding(points),
    }
    remarks = {
        "captions": CAPTIONS_REMARK,
        "heat_maximum": (
            "Share of the margin: the 99.9th percentile over all maps of all films, each from a model that had not "
            "seen the film."
        ),
    }
    return toml_text(
        "Written by `python -m models.training.shipping.vlm`; the card beside the weights tells how good the model is.",
        values,
        tables,
        remarks,
    )
