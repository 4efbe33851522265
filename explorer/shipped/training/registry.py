"""The registry files of the phantom's models."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.cards.card import Band, OperatingPoint, Platt
from models.prompts.templates import Template
from models.training.recipe import Recipe
from models.training.registry_file import by_finding
from models.training.vlm_registry import listed, rows

SOURCE = "the phantom, simulated"
MADE = (
    "# Written by `python -m explorer.shipped.train_phantom`; "
    "the card beside the weights tells how good the model is.\n"
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What both registry files tell; `films` is how many it was trained on, by center."""

    name: str
    sha256: str
    films: Mapping[str, int]
    points: Mapping[str, OperatingPoint]
    warnings: Mapping[str, str]
    heat_maximum: float


def classifier_file(
    facts: Facts, recipe: Recipe, findings: Sequence[str], bands: Mapping[str, Band], platt: Mapping[str, Platt]
) -> str:
    """The TOML text that models/card.py reads."""
    total = sum(facts.films.values())
    head = f'''{MADE}kind = "classifier"
name = "{facts.name}"
title = "Classifier of {len(findings)} findings for SIMULATED films, trained on {total:,} films of the phantom"
architecture = "{recipe.architecture}"
in_chans = 1
size = {recipe.size}
resize = "letterbox"
mean = [0.5]
std = [0.25]
weights = "models/weights/{facts.name}.safetensors"
sha256 = "{facts.sha256}"
gate = "models/weights/{facts.name}.gate.safetensors"
films = "simulated"
findings = {listed(findings)}
views = ["PA", "AP", "unknown"]
# Logit contribution: the 99.9th percentile over all maps of the validation films.
heat_maximum = {facts.heat_maximum:.4f}
licence = "Apache-2.0"
citation = "Films: the radiograph simulator of this project. Labels drawn after Bustos et al., PadChest, 2020"
'''
    return head + _training(facts) + _warnings(facts) + by_finding(facts.points, bands, platt)


def vlm_file(
    facts: Facts, recipe: Recipe, tower: str, text: str, captions: Sequence[str], asked: Sequence[Template]
) -> str:
    """The TOML text that models/vlm_card.py reads; `text` is the model whose text tower `tower` is asked with."""
    head = f'''{MADE}kind = "vlm"
name = "{facts.name}"
title = "Zero-shot model for SIMULATED films: the features of phantom in the text space of all-MiniLM-L6-v2"
architecture = "{recipe.architecture}"
# The text tower is that of {text}, shared; the weights here are the projection alone.
source = "local-dir:models/weights/{text}"
weights = "models/weights/{facts.name}.safetensors"
sha256 = "{facts.sha256}"
tower = "{tower}"
films = "simulated"
size = {recipe.size}
resize = "letterbox"
mean = [0.5]
std = [0.25]
# Findings that its training captions name, all of them as present and as absent.
captions = {listed(captions)}
# Share of the margin: the 99.9th percentile over all maps of the validation films.
heat_maximum = {facts.heat_maximum:.6f}
validation = "models/weights/{facts.name}.validation.safetensors"
licence = "Apache-2.0"
citation = "Zhai et al., LiT, CVPR 2022; Reimers and Gurevych, EMNLP 2019. Films: the simulator of this project"
'''
    pairs = "".join(
        f"\n[[templates]]\npositive = {json.dumps(each.positive)}\nnegative = {json.dumps(each.negative)}\n"
        for each in asked
    )
    return head + pairs + _training(facts) + _warnings(facts) + by_finding(facts.points, {}, {})


def _training(facts: Facts) -> str:
    text = ""
    for center, n in facts.films.items():
        row: dict[str, str | float] = {"center": center, "films": n, "patients": n, "source": SOURCE}
        text += f"\n[[training]]\n{rows(row)}"
    return text


def _warnings(facts: Facts) -> str:
    return "\n[warnings]\n" + "".join(f'"{finding}" = {json.dumps(said)}\n' for finding, said in facts.warnings.items())
