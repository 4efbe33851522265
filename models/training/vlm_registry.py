"""The registry file of the twin."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from models.cards.card import Card, OperatingPoint
from models.prompts.templates import Template


def vlm_registry_file(
    name: str,
    tower: Card,
    sha256: str,
    templates: Sequence[Template],
    captions: Sequence[str],
    points: Mapping[str, OperatingPoint],
    warnings: Mapping[str, str],
    heat_maximum: float,
) -> str:
    """The TOML text that models/vlm_card.py reads; `tower` is the classifier whose features are projected."""
    seen = tower.training[0]
    text = f'''# Written by `python -m models.training.vlm`; the card beside the weights tells how good the model is.
kind = "vlm"
name = "{name}"
title = "Demo-grade zero-shot twin of {tower.name}: its features in the text space of all-MiniLM-L6-v2"
architecture = "{tower.architecture}"
source = "local-dir:models/weights/{name}"
weights = "models/weights/{name}/open_clip_model.safetensors"
sha256 = "{sha256}"
tower = "{tower.name}"
size = {tower.size}
resize = "letterbox"
mean = {list(tower.mean)}
std = {list(tower.std)}
# Findings that its training captions name, all of them as present and as absent.
captions = {listed(captions)}
# Share of the margin: the 99.9th percentile over all maps of all films, each from a model that had not seen the film.
heat_maximum = {heat_maximum:.6f}
validation = "models/weights/{name}.oof.safetensors"
licence = "Apache-2.0"
citation = "Zhai et al., LiT, CVPR 2022; Reimers and Gurevych, EMNLP 2019; Wang et al., ChestX-ray8, CVPR 2017"
'''
    text += "".join(
        f"\n[[templates]]\npositive = {json.dumps(each.positive)}\nnegative = {json.dumps(each.negative)}\n"
        for each in templates
    )
    text += f"\n[[training]]\n{rows(asdict(seen))}"
    text += "\n[warnings]\n" + "".join(f'"{finding}" = {json.dumps(said)}\n' for finding, said in warnings.items())
    for finding, point in points.items():
        text += f'\n[operating_points."{finding}"]\n{rows(asdict(point))}'
    return text


def listed(names: Sequence[str]) -> str:
    """A TOML array of texts, one a line."""
    return "[\n" + "".join(f"    {json.dumps(name)},\n" for name in names) + "]"


def rows(row: Mapping[str, str | float]) -> str:
    """Keys and values of a TOML table."""
    # A JSON string or number is a TOML one too.
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in row.items())
