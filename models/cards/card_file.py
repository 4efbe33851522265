"""Writes a card as a TOML file that `models.cards.classifier_card` can read."""

from __future__ import annotations

import tomlkit

from models.cards.card import Card

CARD_HEADER = """Written by `python -m explorer model new`. You may correct anything here; then run
`python -m explorer model check NAME` to see whether the card is still valid.
No thresholds are known. Scores have no outcome until you choose some with `python -m explorer thresholds` or Explore.
Name the centers that the model was trained on, so that their films are not mistaken for unseen ones: replace
`training = []` by a table at the end of this file,
[[training]]
center = "NIH"
films = 112120
source = "NIH ChestX-ray14"
"""


def card_text(card: Card) -> str:
    """Return the TOML text of a single network's card, without thresholds, calibration or measured maps."""
    file = tomlkit.document()
    for line in CARD_HEADER.splitlines():
        file.add(tomlkit.comment(line))
    file.update(
        {
            "kind": "classifier",
            "name": card.name,
            "title": card.title,
            "architecture": card.architecture,
            "in_chans": card.in_chans,
            "size": card.size,
            "resize": "letterbox",
            "mean": list(card.mean),
            "std": list(card.std),
            "function": card.function,
            "weights": card.weights,
            "sha256": card.sha256,
            "findings": tomlkit.array(),
            "views": list(card.views),
            "training": [],
            "licence": card.licence,
            "citation": card.citation,
        }
    )
    findings = tomlkit.array().multiline(True)
    findings.extend(card.outputs or card.findings)
    file["findings"] = findings
    if card.guessed:
        guessed = tomlkit.array().multiline(True)
        guessed.extend(card.guessed)
        file["guessed"] = guessed
    if card.arguments:
        file["arguments"] = {
            name: list(value) if isinstance(value, tuple) else value for name, value in card.arguments.items()
        }
    return tomlkit.dumps(file)
