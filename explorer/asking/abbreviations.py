"""Expands abbreviations, because a text tower has hardly seen "PTX", and detects ambiguous words."""

from __future__ import annotations

import re

# Meanings in chest radiograph reports. Ambiguous ones belong in UNCLEAR_ABBREVIATIONS.
ABBREVIATIONS = {
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
UNCLEAR_ABBREVIATIONS = {
    "pe": ("pleural effusion", "pulmonary embolism"),
    "lad": ("lymphadenopathy", "left anterior descending artery"),
}
# Synonyms that are not among the findings' own words.
SYNONYMS = {
    "bat wing": "bat wing opacities",
    "batwing": "bat wing opacities",
    "bat wings": "bat wing opacities",
    "cor bovinum": "cardiomegaly",
    "ng tube": "nasogastric tube",
    "og tube": "orogastric tube",
}
# Everyday words that may mean two findings: the visitor has to choose one.
AMBIGUOUS_PHRASES = {
    r"collapsed lungs?|lung collapse|collapse of (?:a|the) lung": ("pneumothorax", "atelectasis"),
    r"(?:water|fluid) on (?:the |my )?lungs?|lung water": ("pulmonary edema", "pleural effusion"),
}
_TOKEN = re.compile(r"\b[A-Za-z]{2,4}\b")
_SYNONYM = re.compile(rf"\b(?:{'|'.join(sorted(SYNONYMS, key=len, reverse=True))})\b(?! opacit)", re.IGNORECASE)


def expand_abbreviations(text: str) -> str:
    """Expand every known abbreviation and synonym; ambiguous ones are left unchanged."""
    full = _SYNONYM.sub(lambda found: SYNONYMS[found.group().casefold()], text)
    return _TOKEN.sub(lambda found: ABBREVIATIONS.get(found.group().casefold(), found.group()), full)


def unclear_abbreviation(text: str) -> tuple[str, tuple[str, str]] | None:
    """Return the first ambiguous abbreviation with both meanings, or None."""
    return next(
        (
            (found, UNCLEAR_ABBREVIATIONS[found.casefold()])
            for found in _TOKEN.findall(text)
            if found.casefold() in UNCLEAR_ABBREVIATIONS
        ),
        None,
    )


def ambiguous_phrase(text: str) -> tuple[str, tuple[str, str]] | None:
    """Return an everyday term that may mean two findings, with both findings, or None.

    "Collapsed lung from leaked air" and "partly collapsed lung" are unambiguous.
    """
    for pattern, meanings in AMBIGUOUS_PHRASES.items():
        found = re.fullmatch(rf"(?:an? |the )?(?:(?:left|right) )?({pattern})[ .?!]*", text.strip(), re.IGNORECASE)
        if found:
            return found[1], meanings
    return None
