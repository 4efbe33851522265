"""Makes the inserted findings of the cohort `nih-oof`: `python -m explorer.workshop.shipping.nih_inserted`.

They are SIMULATED findings in real films labeled normal, scored by MODELS out of fold: each film by the layer of its
fold, fitted as in `nih_perturbed`. A run that was stopped goes on where it stopped.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from explorer.cohorts.inserted_scores import inserted_folder
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.metrics.calibration_curves import sigmoid
from explorer.scoring.card_facts import scoring_classifier
from explorer.scoring.healthy_films import healthy_cases
from explorer.scoring.inserted_run import FilmToInsert, write_inserted
from explorer.workshop.demo.nih_oof import COHORT_NAME
from explorer.workshop.shipping.nih_perturbed import FOLDER, fold_layer
from models.array_types import Float32
from models.cards.classifier_card import classifier_card
from models.classifier.classifier import Classifier
from models.load import network
from models.radiograph import Radiograph, read_radiograph
from models.training.nih.kept_numbers import kept_numbers
from models.training.shipping.linear_probe import LinearLayer

log = logging.getLogger(__name__)
MODELS = ("nih-linear-probe", "nih-anatomy-probe")  # whose last layer alone was taught by these films
FILMS, PART_FILMS = 150, 30


def main() -> None:
    """Score the films beside the cohort."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.nih_inserted", description=__doc__)
    parser.add_argument("--images", type=Path, required=True, help="folder with NIH's folders of films")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cohort = Folder(CACHE / COHORT_NAME)
    for model in MODELS:
        about, split = scoring_classifier(classifier_card(model)), read_model_manifest(cohort.model(model)).split
        films = films_out_of_fold(cohort, model, options.images / FOLDER, FILMS)
        done = write_inserted(cohort, inserted_folder(cohort), about, films, _log_progress, PART_FILMS, split)
        log.info("%s: %d films, %d failed", model, done.manifest.scored, len(done.failures))


def films_out_of_fold(cohort: Folder, model: str, images: Path, count: int) -> dict[str, FilmToInsert]:
    """Return up to `count` normal films of the folder that are not reduced, each with the layer of its fold."""
    kept, tower = kept_numbers(classifier_card(model)), network(model, "cpu")
    rows = {case: row for row, case in enumerate(kept.image_ids) if kept.folders[row] == FOLDER}
    healthy = [case for case in healthy_cases(cohort, len(kept.image_ids)) if case in rows]
    chosen = [healthy[place] for place in np.linspace(0, len(healthy) - 1, count).round().astype(int).tolist()]
    folds = {case: int(kept.folds[rows[case]]) for case in chosen}
    layers = {fold: fold_layer(kept, fold) for fold in sorted(set(folds.values()))}
    return {
        case: FilmToInsert(
            partial(read_radiograph, images / kept.files[rows[case]]), partial(_scores, tower, layers[folds[case]])
        )
        for case in chosen
    }


def _scores(tower: Classifier, layer: LinearLayer, films: Sequence[Radiograph]) -> Float32:
    features = tower.score_boxed([tower.boxed(film) for film in films])[1]
    return sigmoid(layer.logits(features.astype(np.float32)).astype(np.float64)).astype(np.float32)


def _log_progress(done: int, of: int) -> None:
    log.info("%d of %d films", done, of)


if __name__ == "__main__":
    main()
