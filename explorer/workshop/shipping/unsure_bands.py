"""Chooses the unsure bands of the shipped classifiers: `python -m explorer.workshop.shipping.unsure_bands --run RUN`.

Uses the stored out-of-fold scores of nih-mini, and phantom's scores of its validation and test films, which are
rendered into RUN. Writes the tables `band` and `finding_free` of both registry files; thresholds and weights do not
change.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
import tomlkit
import torch
from scipy.special import expit

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, TEST_SPLIT, VALIDATION_SPLIT, Split, sample_cases
from explorer.simulator.film_png import FILM_SIZE
from explorer.workshop.lab.phantom_dataset import exact_labels
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.shipping.training.operating_points import (
    LabeledOutputs,
    choose_bands,
    finding_free_on,
    with_scores,
)
from explorer.workshop.shipping.training.place import SHIPPED_FOLDERS
from explorer.workshop.shipping.training.scored import run_network
from models.cards.card import Card, FindingFree, UnsureBand
from models.cards.classifier_card import classifier_card
from models.statistics import unsure_band
from models.training.nih.kept_numbers import kept_numbers
from models.training.nih.result import finding_free_out_of_fold
from models.training.recipe import TrainingRecipe
from models.training.shipping.listed_files import FILES_TABLE_HEADER
from models.whole_file import atomic_write


def main() -> None:
    """Choose the bands of both classifiers."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.unsure_bands", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder for rendered films")
    parser.add_argument("--processes", type=int, default=2, help="number of rendering processes")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_flush_denormal(True)
    _write(SHIPPED_FOLDERS.card("nih-mini"), *_out_of_fold_bands(classifier_card("nih-mini")))
    _write(SHIPPED_FOLDERS.card("phantom"), *_phantom_bands(classifier_card("phantom"), options.run, options.processes))


def _out_of_fold_bands(model_card: Card) -> tuple[dict[str, UnsureBand], FindingFree]:
    numbers = kept_numbers(model_card)
    labels, every = numbers.labels, expit(numbers.logits.astype(np.float64))
    found = {}
    for k, finding in enumerate(model_card.findings):
        cuts = unsure_band(labels[:, k], every[:, k], model_card.operating_points[finding].threshold)
        if cuts is not None:
            found[finding] = UnsureBand(*(round(cut, 6) for cut in cuts))
    judged = [k for k, finding in enumerate(model_card.findings) if finding not in model_card.cannot_judge]
    return found, finding_free_out_of_fold(labels, every, numbers.folds, np.array(numbers.patients), judged)


def _phantom_bands(model_card: Card, run: Path, processes: int) -> tuple[dict[str, UnsureBand], FindingFree]:
    validation, test = (_scored(split, run, processes) for split in (VALIDATION_SPLIT, TEST_SPLIT))
    found = choose_bands(validation, SEEN_FINDINGS, model_card.operating_points)
    judged = {name: point for name, point in model_card.operating_points.items() if name not in model_card.cannot_judge}
    patients = np.array([case.address for case in sample_cases(TEST_SPLIT)])
    return found, finding_free_on(test, SEEN_FINDINGS, judged, found, patients)


def _scored(split: Split, run: Path, processes: int) -> LabeledOutputs:
    drawn = sample_cases(split)
    films = render_pixels(run, split.name, drawn, TrainingRecipe().size, processes, FILM_SIZE)
    logits = run_network(SHIPPED_FOLDERS.weights / "phantom.safetensors", films.exact, TrainingRecipe()).logits
    return with_scores(LabeledOutputs(exact_labels(drawn, SEEN_FINDINGS), logits))


def _write(registry_file: Path, found: Mapping[str, UnsureBand], free: FindingFree) -> None:
    text, mark, files = registry_file.read_text(encoding="utf-8").partition(FILES_TABLE_HEADER)
    document = tomlkit.parse(text)
    document["finding_free"] = asdict(free)
    document["band"] = {finding: asdict(band) for finding, band in found.items()}
    with atomic_write(registry_file) as partial:
        partial.write_text(tomlkit.dumps(document).rstrip("\n") + "\n" + mark + files, encoding="utf-8")
    logging.info("%s: %.2f above, %.2f unsure", registry_file.name, free.above, free.unsure)


if __name__ == "__main__":
    main()
