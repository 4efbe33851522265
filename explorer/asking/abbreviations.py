"""Abbreviations in a question, written out: a text tower has hardly seen "PTX", and training captions hold none."""

from __future__ import annotations

import re

# What each stands for on chest radiograph reports. One that stands for two findings belongs in UNCLEAR.
MEANINGS = {
    "ards": "acute respiratory distress syndrome",
    "chf": "congestive heart failure",
    "cvc": "central venous catheter",
    "cvl": "central venous line",
    "ett": "endotracheal tube",
    "ggo": "ground glass opacity",
    "htx": "hemothorax",
    "ild": "interstitial lung disease",
    "lll": "left lower lobe",
    "lul": "left upper lobe",
    "lvh": "left ventricular hypertrophy",
    "ngt": "nasogastric tube",
    "ogt": "orogastric tube",
    "pna": "pneumonia",
    "ppm": "permanent pacemaker",
    "ptx": "pneumothorax",
    "rll": "right lower lobe",
    "rml": "right middle lobe",
    "rul": "right upper lobe",
    "svc": "superior vena cava",
    "vcf": "vertebral compression fracture",
}
UNCLEAR = {
    "pe": ("pleural effusion", "pulmonary embolism"),
    "lad": ("lymphadenopathy", "left anterior descending artery"),
}
_TOKEN = re.compile(r"\b[A-Za-z]{2,4}\b")


def spelled_out(text: str) -> str:
    """The text with every known abbreviation written out; one that could mean two findings stays."""
    return _TOKEN.sub(lambda found: MEANINGS.get(found.group().casefold(), found.group()), text)


def unclear(text: str) -> tuple[str, tuple[str, str]] | None:
    """The first abbreviation that may mean two things, and both; None where there is none."""
    return next(
        ((found, UNCLEAR[found.casefold()]) for found in _TOKEN.findall(text) if found.casefold() in UNCLEAR), None
    )
