"""Writes the registry files of the phantom's models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from models.cards.card import CardPoint, FindingFree, Platt, UnsureBand
from models.prompts.templates import Template
from models.training.lab_recipe import LabRecipe
from models.training.recipe import TrainingRecipe
from models.training.shipping.toml_text import rows_by_finding, toml_text
from models.training.shipping.vlm.registry_file import CAPTIONS_REMARK

TRAINING_SOURCE = "the phantom, simulated"
WRITTEN_BY = "Written by `python -m explorer.workshop.shipping.ship_phantom`; the card says how good the model is."


@dataclass(frozen=True, slots=True)
class RegistryFacts:
    """The facts in both registry files; `films` is the number of training films by center."""

    name: str
    sha256: str
    films: Mapping[str, int]
    points: Mapping[str, CardPoint]
    warnings: Mapping[str, str]
    heat_maximum: float
    masks: bool = False  # whether there is a mask head


@dataclass(frozen=True, slots=True)
class ScoreFacts:
    """Additional facts in the classifier's file: unsure bands, calibration, and counts on finding-free films."""

    bands: Mapping[str, UnsureBand]
    platt: Mapping[str, Platt]
    finding_free: FindingFree


def classifier_file(facts: RegistryFacts, made: LabRecipe, findings: Sequence[str], scores: ScoreFacts) -> str:
    """Return the TOML text for models/cards/classifier_card.py; the facts' warnings become `cannot_judge`."""
    total, recipe = sum(facts.films.values()), made.stages[-1]
    values = {
        "kind": "classifier",
        "name": facts.name,
        "title": (
            f"Classifier of {len(findings)} findings for SIMULATED films, trained on {total:,} films of the phantom: "
            f"{made.title[0].lower()}{made.title[1:]}"
        ),
        "architecture": recipe.architecture,
        "in_chans": 1,
        "size": recipe.size,
        "resize": "letterbox",
        "mean": [0.5],
        "std": [0.25],
        "weights": f"models/weights/{facts.name}.safetensors",
        "sha256": facts.sha256,
        "gate": f"models/weights/{facts.name}.gate.safetensors",
        **({"masks": f"models/weights/{facts.name}.masks.safetensors"} if facts.masks else {}),
        "films": "simulated",
        "findings": list(findings),
        "views": ["PA", "AP", "unknown"],
        "heat_maximum": round(facts.heat_maximum, 4),
        "licence": "Apache-2.0",
        "citation": "Films: the radiograph simulator of this project. Labels drawn after Bustos et al., PadChest, 2020",
    }
    tables = _tables(facts, "cannot_judge") | {
        "finding_free": asdict(scores.finding_free),
        "band": rows_by_finding(scores.bands),
        "platt": rows_by_finding(scores.platt),
    }
    remarks = {"heat_maximum": "Logit contribution: the 99.9th percentile over all maps of the validation films."}
    return toml_text(WRITTEN_BY, values, tables, remarks)


def vlm_file(
    facts: RegistryFacts,
    recipe: TrainingRecipe,
    tower: str,
    text: str,
    captions: Sequence[str],
    asked: Sequence[Template],
) -> str:
    """Return the TOML text for models/cards/vlm_card.py; `text` is the model whose text tower is used."""
    values = {
        "kind": "vlm",
        "name": facts.name,
        "title": "Zero-shot model for SIMULATED films: the features of phantom in the text space of all-MiniLM-L6-v2",
        "architecture": recipe.architecture,
        "source": f"local-dir:models/weights/{text}",
        "weights": f"models/weights/{facts.name}.safetensors",
        "sha256": facts.sha256,
        "tower": tower,
        "films": "simulated",
        "size": recipe.size,
        "resize": "letterbox",
        "mean": [0.5],
        "std": [0.25],
        "captions": list(captions),
        "heat_maximum": round(facts.heat_maximum, 6),
        "validation": f"models/weights/{facts.name}.validation.safetensors",
        "licence": "Apache-2.0",
        "citation": (
            "Zhai et al., LiT, CVPR 2022; Reimers and Gurevych, EMNLP 2019. Films: the simulator of this project"
        ),
    }
    remarks = {
        "source": f"The text tower is that of {text}, shared; the weights here are the projection alone.",
        "captions": CAPTIONS_REMARK,
        "heat_maximum": "Share of the margin: the 99.9th percentile over all maps of the validation films.",
    }
    return toml_text(
        WRITTEN_BY, values, {"templates": [asdict(each) for each in asked]} | _tables(facts, "warnings"), remarks
    )


def _tables(facts: RegistryFacts, warnings: str) -> dict[str, object]:
    """Return the tables in both files; `warnings` is the key of the warnings."""
    return {
        "training": [
            {"center": center, "films": n, "patients": n, "source": TRAINING_SOURCE}
            for center, n in facts.films.items()
        ],
        warnings: dict(facts.warnings),
        "operating_points": rows_by_finding(facts.points),
    }
