"""Makes the perturbed scores of the shipped cohort `nih-oof`: `python -m explorer.workshop.shipping.nih_perturbed`.

They are those of `nih-linear-probe`, out of fold like its plain scores: its network was not trained on these films, and
the layer behind the network's features is fitted again for each fold, to the films of the other folds, as it was. Films
are those of the folder `images`, which are not reduced; like `phantom_perturbed`, it scores some of them at strengths
1, 3 and 5 and rounds. A run that was stopped goes on where it stopped.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.perturbed_scores import perturbed_folder
from explorer.metrics.calibration_curves import sigmoid
from explorer.scoring.card_facts import operating_points, scoring_classifier
from explorer.workshop.demo.nih_oof import COHORT_NAME
from explorer.workshop.shipping.phantom_perturbed import shipped_levels, write_level
from models.array_types import Float32
from models.cards.classifier_card import classifier_card
from models.classifier.classifier import Classifier
from models.load import network
from models.perturbations.film import UNCHANGED, Level, perturbed, working_film
from models.radiograph import read_radiograph
from models.training.nih.kept_numbers import KeptNumbers, kept_numbers
from models.training.shipping.linear_probe import LinearLayer, fit_layer

log = logging.getLogger(__name__)
MODEL, FOLDER, FILMS = "nih-linear-probe", "images", 400
PENALTIES = (0.001, 0.0003, 0.003)  # inverse: of each fold the one whose logits are nearest to the stored ones
PART_FILMS = 25


def main() -> None:
    """Compute the features of each level in a folder of the run, then write the scores beside the cohort."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.nih_perturbed", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder for features")
    parser.add_argument("--images", type=Path, required=True, help="folder with NIH's folders of films")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    kept = kept_numbers(classifier_card(MODEL))
    rows = chosen_rows(kept)
    features = np.concatenate(list(level_features(options.run, options.images, kept, rows)), axis=1)
    write_scores(Folder(CACHE / COHORT_NAME), kept, rows, features)
    log.info("%d levels of %d films", len(shipped_levels()), len(rows))


def chosen_rows(kept: KeptNumbers) -> NDArray[np.intp]:
    """Return the films (n,), by index, evenly spaced among those of the folder."""
    rows = np.flatnonzero(np.array(kept.folders) == FOLDER)
    return rows[np.linspace(0, len(rows) - 1, min(FILMS, len(rows))).round().astype(np.intp)]


def level_features(run: Path, images: Path, kept: KeptNumbers, rows: NDArray[np.intp]) -> Iterator[NDArray[np.float16]]:
    """Yield features (1 + levels, films, d) of some films after another, unchanged ones first; kept in `run`."""
    run.mkdir(parents=True, exist_ok=True)
    tower = network(MODEL, "cpu")
    for start in range(0, len(rows), PART_FILMS):
        path = run / f"{start:05}.npy"
        if not path.exists():
            some = [images / FOLDER / kept.files[row] for row in rows[start : start + PART_FILMS]]
            with path.with_suffix(".part").open("wb") as file:
                np.save(file, _features(tower, some))
            path.with_suffix(".part").rename(path)
            log.info("%d of %d films", start + len(some), len(rows))
        yield np.load(path)


def _features(tower: Classifier, files: Sequence[Path]) -> NDArray[np.float16]:
    films = [working_film(read_radiograph(path.read_bytes())) for path in files]
    levels: tuple[Level | None, ...] = (None, *shipped_levels())
    changed = ([film if level is None else perturbed(film, level, film.sha256) for film in films] for level in levels)
    return np.stack([tower.score_boxed([tower.boxed(film) for film in some])[1] for some in changed]).astype(np.float16)


def fold_layer(kept: KeptNumbers, fold: int) -> LinearLayer:
    """Return the layer that scored the films of a fold, fitted again to the others."""
    others, own = kept.folds != fold, kept.folds == fold
    assert kept.features is not None
    features, labels = kept.features.astype(np.float32), kept.labels.astype(np.float32)
    fitted = [fit_layer(features[others], labels[others], penalty) for penalty in PENALTIES]
    return min(fitted, key=lambda layer: float(np.abs(layer.logits(features[own]) - kept.logits[own]).max()))


def write_scores(cohort: Folder, kept: KeptNumbers, rows: NDArray[np.intp], features: NDArray[np.float16]) -> None:
    """Write the scores of features (1 + levels, films, d), each film by the layer of its fold."""
    logits = np.empty((*features.shape[:2], len(kept.findings)), np.float32)
    for fold in np.unique(kept.folds[rows]):
        own, layer = kept.folds[rows] == fold, fold_layer(kept, int(fold))
        for place, each in enumerate(features):
            logits[place, own] = layer.logits(each[own].astype(np.float32))
    scores: Float32 = sigmoid(logits.astype(np.float64)).astype(np.float32)
    target, about = perturbed_folder(cohort, MODEL), read_model_manifest(cohort.model(MODEL))
    cases, points = [kept.image_ids[row] for row in rows], operating_points(scoring_classifier(classifier_card(MODEL)))
    names = (UNCHANGED["matched"], *(level.name for level in shipped_levels()))
    for name, level_scores in zip(names, scores, strict=True):
        known = replace(
            about, model=name, preprocessing=f"{about.preprocessing}, perturbed", scored=len(rows), failed=0
        )
        write_level(target, known, cases, level_scores, points)


if __name__ == "__main__":
    main()
