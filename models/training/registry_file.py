"""The registry file of a finished run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from models.cards.card import Band, OperatingPoint, Platt
from models.training.nih import FINDINGS
from models.training.result import Result


def registry_file(result: Result) -> str:
    """The TOML text that models/card.py reads."""
    findings = "".join(f'    "{finding}",\n' for finding in FINDINGS.values())
    text = f'''# Written by `python -m models.training`; the card beside the weights tells how good the model is.
kind = "classifier"
name = "{result.name}"
title = "Demo-grade classifier of {len(FINDINGS)} findings, trained on {result.films:,} NIH radiographs"
architecture = "{result.recipe.architecture}"
in_chans = 1
size = {result.recipe.size}
resize = "letterbox"
mean = [0.5]
std = [0.25]
weights = "models/weights/{result.name}.safetensors"
sha256 = "{result.sha256}"
gate = "models/weights/{result.name}.gate.safetensors"
cohort = "models/weights/{result.name}.oof.safetensors"
findings = [
{findings}]
views = ["PA", "AP", "unknown"]
# Logit contribution: the 99.9th percentile over all maps of all films, each from a model that had not seen the film.
heat_maximum = {result.heat_maximum:.4f}
licence = "Apache-2.0"
citation = "Wang et al., ChestX-ray8, CVPR 2017 (NIH ChestX-ray14 films, NIH Clinical Center)"

[[training]]
center = "NIH"
films = {result.films}
patients = {result.patients}
source = "NIH ChestX-ray14"

[warnings]
'''
    text += "".join(f'"{finding}" = "{warning}"\n' for finding, warning in result.warnings.items())
    return text + by_finding(result.points, result.bands, result.platt)


def by_finding(
    points: Mapping[str, OperatingPoint], bands: Mapping[str, Band], calibrations: Mapping[str, Platt]
) -> str:
    """The tables of a registry file that have a row for each finding."""
    text = ""
    for key, rows in (("operating_points", points), ("band", bands), ("platt", calibrations)):
        for finding, row in rows.items():
            text += f'\n[{key}."{finding}"]\n'
            text += "".join(f"{name} = {_toml(value)}\n" for name, value in asdict(row).items())
    return text


def _toml(value: str | float) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)
