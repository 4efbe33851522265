"""Make the ensemble of the NIH classifiers: `python -m models.training.shipping.nih.ensemble`.

It needs the stored numbers of its members, which were trained in the same folds, but no films. A film's out-of-fold
logit is the mean of its members', each from a network that saw no film of the patient. Writes registry file, card and
numbers.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np

from models.cards.card import PROJECT, Card
from models.cards.classifier_card import classifier_card
from models.cards.registry import REGISTRY
from models.training.nih.kept_numbers import KeptNumbers, comparable_numbers
from models.training.nih.members import ENSEMBLE_WEIGHTS, NIH_ENSEMBLE
from models.training.nih.result import OutOfFoldFigures, out_of_fold_figures
from models.training.shipping.listed_files import write_file_hashes
from models.training.shipping.nih.card_file import COUNTING_NOTE, figures_markdown
from models.training.shipping.nih.registry_file import figure_tables
from models.training.shipping.nih.ship import WEIGHTS_FOLDER, write_text
from models.training.shipping.toml_text import toml_text

log = logging.getLogger(__name__)


def main() -> None:
    """Write all files of the ensemble."""
    argparse.ArgumentParser(prog="python -m models.training.shipping.nih.ensemble", description=__doc__).parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    ship_ensemble(REGISTRY, WEIGHTS_FOLDER)


def ship_ensemble(registry: Path, weights: Path) -> None:
    """Write the registry file, the card and the out-of-fold numbers."""
    members = [classifier_card(name) for name in ENSEMBLE_WEIGHTS]
    numbers = mean_numbers(members)
    figures = out_of_fold_figures(numbers.films, numbers.folds, numbers.logits)
    numbers.write(weights / f"{NIH_ENSEMBLE}.oof.safetensors")
    write_text(registry / f"{NIH_ENSEMBLE}.toml", ensemble_registry_text(members, figures))
    write_file_hashes(registry / f"{NIH_ENSEMBLE}.toml")
    write_text(weights / f"{NIH_ENSEMBLE}.md", ensemble_card_markdown(members, figures))
    log.info("%s: macro AUROC %.3f", NIH_ENSEMBLE, figures.overall.macro.value)


def mean_numbers(members: list[Card]) -> KeptNumbers:
    """Return the mean logits. Raises UnusableModel if the members were trained on different films or folds."""
    every = comparable_numbers(members)
    shares = np.array(list(ENSEMBLE_WEIGHTS.values())) / sum(ENSEMBLE_WEIGHTS.values())
    logits = sum(share * each.logits.astype(np.float64) for share, each in zip(shares, every, strict=True))
    return replace(every[0], logits=np.asarray(logits, dtype=np.float32), features=None)


def ensemble_registry_text(members: list[Card], figures: OutOfFoldFigures) -> str:
    """Return the TOML text for models/cards/classifier_card.py."""
    first = members[0]
    chosen = f"models/weights/{NIH_ENSEMBLE}.maps.toml"
    maps = {"maps": chosen} if (PROJECT / chosen).exists() else {}  # chosen by shipping.map_methods
    values = {
        "kind": "ensemble",
        "name": NIH_ENSEMBLE,
        "title": f"Demo-grade ensemble of {len(members)} classifiers of {len(first.findings)} findings, trained on "
        f"{figures.films:,} NIH radiographs",
        "gate": first.gate,
        **maps,
        "cohort": f"models/weights/{NIH_ENSEMBLE}.oof.safetensors",
        "licence": first.licence,
        "citation": first.citation,
    }
    return toml_text(
        "Written by `python -m models.training.shipping.nih.ensemble`; the card in models/weights tells how good the "
        "model is.",
        values,
        {"members": ENSEMBLE_WEIGHTS, **figure_tables(figures)},
        {"gate": "Of the first member, whose features are the ensemble's."},
    )


def ensemble_card_markdown(members: list[Card], figures: OutOfFoldFigures) -> str:
    """Return the Markdown text of the card next to the members' weights."""
    names = " and ".join((", ".join(f"`{each.name}`" for each in members[:-1]), f"`{members[-1].name}`"))
    head = (
        f"# {NIH_ENSEMBLE}\n\n"
        f"A demo-grade ensemble of {names}: {len(figures.overall.findings)} findings, the mean of the members' logits, "
        f"trained on {figures.films:,} real NIH ChestX-ray14 films of {figures.patients:,} patients. Not for medical "
        "use.\n\n"
        "It has no weights of its own. A film passes through every member; heat maps are the mean of the members', "
        f"features and gate those of `{members[0].name}`. The members count alike: no film is left on which their "
        "weights could be chosen."
    )
    what = (
        "## What the figures are\n\n"
        "Every figure is out of fold: five folds by patient, the same for all members; each film is scored by one "
        "network a member, none of which saw a film of its patient. The shipped members were then trained on all "
        "films; no film is left on which they themselves could be measured.\n\n"
        f"{COUNTING_NOTE} Differences to the members, on the same films, are in docs/lab.md."
    )
    maps = "- Heat maps: how they are made and what they are worth is in the file that the registry names as `maps`."
    made = (
        "## Made by\n\n"
        "`python -m models.training.shipping.nih.ensemble`, from what is kept of the members; Platt slopes and "
        f"intercepts are in the registry file, out-of-fold logits in `{NIH_ENSEMBLE}.oof.safetensors`.\n"
    )
    return "\n\n".join((head, what, *figures_markdown(figures, (maps,)), made))


if __name__ == "__main__":
    main()
