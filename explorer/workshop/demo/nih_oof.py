"""The shipped cohort `nih-oof`: out-of-fold scores of its classifiers and of an image-text model on 1,650 films.

Everything comes from the numbers next to the models' weights, so no image is needed or stored.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_cohort, listed_scores
from explorer.cohorts.manifest import Manifest, ModelManifest, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.schema import CASES, EMBEDDINGS, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.version import version_of
from explorer.ingest.cohort_files import write_boxes
from explorer.ingest.nih_boxes import BOX_SOURCE as BOX_SOURCE
from explorer.ingest.nih_boxes import read_boxes
from explorer.metrics.calibration_curves import sigmoid
from explorer.metrics.thresholds import ThresholdRule, fit_thresholds
from explorer.scoring.card_facts import ScoringModel, scoring_classifier, scoring_vlm
from explorer.workshop.demo.nih_oof_twin import TWIN_RULE as TWINS_RULE
from explorer.workshop.demo.nih_oof_twin import TWIN_SPLIT as TWINS_SPLIT
from explorer.workshop.demo.nih_oof_twin import read_twin
from models.cards.classifier_card import classifier_card
from models.radiograph import PREPROCESSING
from models.training.nih.kept_numbers import KeptNumbers, comparable_numbers
from models.training.nih.members import NIH_CLASSIFIERS

COHORT_NAME = "nih-oof"
MODEL, *OTHERS = NIH_CLASSIFIERS
LABEL_SOURCE, CENTER = "NIH ChestX-ray14", "NIH"
IMAGE_ROOT = "nih"  # name of the image folder for --images nih=DIR
SCORE_RULE = "Youden's J on the out-of-fold scores of the other folds"
SCORE_SPLIT = (
    "out of fold: each score is from a model that saw no film of that patient, one of five; "
    "the features are those of the shipped model"
)
# Version that read the films; later ones give the same result, because these films have square pixels.
FILM_PIPELINE = 1
_BOXES = Path(__file__).parents[2] / "core" / "data" / "nih_boxes.csv"


def write_demo(place: Path) -> Folder:
    """Write the cohort below `place`, replacing an older one; the bytes are always the same. Raises UnusableModel."""
    folder, classifiers = Folder(place / COHORT_NAME), [classifier_card(name) for name in (MODEL, *OTHERS)]
    stored = comparable_numbers(classifiers)
    numbers = stored[0]
    write_table(folder.cases, _cases(numbers))
    write_table(folder.labels, _labels(numbers))
    write_boxes(folder, [box for box in read_boxes(_BOXES)[0] if box.case in set(numbers.image_ids)], BOX_SOURCE)
    for each, kept in zip(classifiers, stored, strict=True):
        assert kept.features is not None
        scores = sigmoid(kept.logits.astype(np.float64))
        _write_model(
            folder, kept, _model(scoring_classifier(each), kept, SCORE_SPLIT, SCORE_RULE), scores, kept.features
        )
    twin = read_twin(numbers.image_ids, numbers.findings)
    twin_manifest = _model(scoring_vlm(twin.card, twin.scale), numbers, TWINS_SPLIT, TWINS_RULE)
    _write_model(folder, numbers, twin_manifest, twin.margins.astype(np.float64), twin.embeddings)
    write_manifest(folder.manifest, _manifest(folder, numbers))
    return folder


def _write_model(
    folder: Folder,
    numbers: KeptNumbers,
    made: ModelManifest,
    scores: NDArray[np.float64],
    features: NDArray[np.float16],
) -> None:
    """Write a model's scores (n, findings), features (n, d), and thresholds by fold."""
    write_table(folder.predictions(made.model) / "part-00000.parquet", _predictions(numbers, scores))
    write_table(folder.embeddings(made.model) / "part-00000.parquet", _embeddings(numbers, features))
    write_table(folder.operating_points(made.model), _operating_points(numbers, scores, made.thresholds))
    write_manifest(folder.model(made.model), replace(made, files=listed_scores(folder, made.model)))


def _cases(numbers: KeptNumbers) -> pa.Table:
    n = len(numbers.image_ids)
    view, sex, age = numbers.traits.T
    return pa.table(
        {
            "case": numbers.image_ids,
            "patient": numbers.patients,
            "study": [None] * n,
            "center": [CENTER] * n,
            "view": _words(view, "AP", "PA"),
            "sex": _words(sex, "M", "F"),
            "age": [None if np.isnan(years) else round(years * 100) for years in age.tolist()],
            "split": _splits(numbers),
            "root": [IMAGE_ROOT] * n,
            "file": numbers.files,
            "width": [None] * n,
            "height": [None] * n,
            "weight": [None] * n,
        },
        schema=CASES,
    )


def _words(values: NDArray[np.float32], one: str, zero: str) -> list[str]:
    return ["unknown" if np.isnan(value) else one if value else zero for value in values]


def _splits(numbers: KeptNumbers) -> list[str]:
    return [f"fold {fold + 1}" for fold in numbers.folds]


def _pairs(numbers: KeptNumbers) -> dict[str, list[str]]:
    """Return the case and finding of every pair, sorted by finding, because sorted columns compress best."""
    return {
        "case": numbers.image_ids * len(numbers.findings),
        "finding": [finding for finding in numbers.findings for _ in numbers.image_ids],
    }


def _labels(numbers: KeptNumbers) -> pa.Table:
    words = np.where(numbers.labels.T.ravel(), "present", "absent").tolist()
    return pa.table(
        _pairs(numbers) | {"label": words, "source": [f"{LABEL_SOURCE}, mined from reports"] * len(words)},
        schema=LABEL_ROWS,
    )


def _predictions(numbers: KeptNumbers, scores: NDArray[np.float64]) -> pa.Table:
    return pa.table(_pairs(numbers) | {"score": scores.T.ravel().astype(np.float32)}, schema=PREDICTIONS)


def _embeddings(numbers: KeptNumbers, features: NDArray[np.float16]) -> pa.Table:
    rows = [row.astype("<f2").tobytes() for row in features]
    return pa.table({"case": numbers.image_ids, "features": rows}, schema=EMBEDDINGS)


def _operating_points(numbers: KeptNumbers, scores: NDArray[np.float64], rule: str) -> pa.Table:
    """Return a threshold for each fold's films, chosen on the other folds, so that no film influences its own."""
    rows = []
    for fold in np.unique(numbers.folds):
        rest = numbers.folds != fold
        fitted = fit_thresholds(
            numbers.labels[rest].astype(float),
            scores[rest],
            numbers.findings,
            ThresholdRule("youden"),
            cohort=COHORT_NAME,
            case_ids=[image for image, chosen in zip(numbers.image_ids, rest, strict=True) if chosen],
        )
        rows += [(cut.finding, f"fold {fold + 1}", cut.value, rule) for cut in fitted.cuts if cut.value is not None]
    columns = zip(*rows, strict=True)
    return pa.table(dict(zip(OPERATING_POINTS.names, map(list, columns), strict=True)), schema=OPERATING_POINTS)


def _model(made: ScoringModel, numbers: KeptNumbers, split: str, rule: str) -> ModelManifest:
    read = made.maker.preprocessing.replace(f"film pipeline {PREPROCESSING}", f"film pipeline {FILM_PIPELINE}")
    return ModelManifest(
        model=made.name,
        title=made.title,
        sha256=made.sha256,
        preprocessing=f"{read}, rounded to 8 bits",  # as in the training run's own files
        split=split,
        findings=numbers.findings,
        origins={CENTER: "internal"},
        scored=len(numbers.image_ids),
        failed=0,
        thresholds=rule,
        unit=made.unit,
        scale=made.scale,
    )


def _manifest(folder: Folder, numbers: KeptNumbers) -> Manifest:
    return Manifest(
        name=COHORT_NAME,
        title="1,650 NIH films, scored out of fold",
        source=f"{LABEL_SOURCE} (Wang et al., CVPR 2017), labels mined from reports",
        version=version_of(folder.cases, folder.labels),
        cases=len(numbers.image_ids),
        labelled=True,
        blank="absent: NIH names every finding that it found",
        roots=(IMAGE_ROOT,),
        counts={"taken": len(numbers.image_ids)},
        files=listed_cohort(folder),
    )
