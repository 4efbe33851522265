"""The TOML file of a card that was made here: what `models.cards.classifier_card` reads again."""

from __future__ import annotations

import tomlkit

from models.cards.card import Card

ABOUT = """Written by `python -m explorer model new`. Whatever stands here may be corrected; after that
`python -m explorer model check NAME` says whether it is still right.
No threshold is known: scores have no outcome until some are chosen, by `python -m explorer thresholds` or in Explore.
Name the centers that it was trained on, so that their films are not taken for films it never saw: in place of
`training = []`, at the end of this file,
[[training]]
center = "NIH"
films = 112120
source = "NIH ChestX-ray14"
"""


def card_text(card: Card) -> str:
    """A TOML file of one network without thresholds, calibration or measured maps."""
    file = tomlkit.document()
    for line in ABOUT.splitlines():
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
