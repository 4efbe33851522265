"""A trained recipe as a model of the cohort: its scores of the test films, as Explore and Compare know models."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import ModelManifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import OPERATING_POINTS
from explorer.lab.films import LabFilms
from explorer.lab.run import FINAL, Trained, folder_of
from explorer.scoring.run import place_for
from explorer.scoring.score_files import predictions_table
from explorer.shipped.training.operating_points import LabeledLogits, points, scores
from models.cards.known_file import sha256_of
from models.radiograph import PREPROCESSING
from models.training.lab_recipe import LabRecipe

RULE = "Youden's J on the validation films of the phantom"


def name_of(recipe: LabRecipe, seed: int) -> str:
    """What the model is called in the cohort."""
    return f"lab-{recipe.name}-{seed}"


def publish(folder: Folder, run: Path, recipe: LabRecipe, seed: int, films: LabFilms, made: Trained) -> ModelManifest:
    """Write its scores beside those of the shipped models: among what this machine adds to a shipped cohort.

    Scores that an earlier training left are replaced. Raises NoCohort where the cohort has other films, or nothing can
    be added to it.
    """
    strangers = set(films.test_cases) - set(read_table(folder.cases, ["case"])["case"].to_pylist())
    if strangers:
        raise NoCohort(
            f"{folder.name} does not have the films that were scored",
            f"{len(strangers):,} of {len(films.test_cases):,} are not among its cases. Train again with this version.",
        )
    name = name_of(recipe, seed)
    place = place_for(folder, name)
    place.model(name).unlink(missing_ok=True)  # it is written last: what is half written is no model
    test = scores(LabeledLogits(films.test.labels, made.test))
    known = scores(LabeledLogits(films.validation.labels, made.validation))
    shard = place.predictions(name) / "part-00000.parquet"
    write_table(shard, predictions_table(films.test_cases, films.findings, test.said))
    chosen = points(known, test, films.findings)
    write_table(
        place.operating_points(name), _thresholds({finding: each.threshold for finding, each in chosen.items()})
    )
    said = ModelManifest(
        model=name,
        title=f"{recipe.title}, seed {seed}: trained in the lab on {len(films.training):,} films of the phantom",
        sha256=sha256_of(folder_of(run, recipe.name, seed) / FINAL),
        preprocessing=f"film pipeline {PREPROCESSING}, letterbox {recipe.stages[0].size} px, 256 levels of gray",
        split=f"test films of patients that the model, trained on {len(films.training):,} others, has not seen",
        findings=films.findings,
        origins={str(center): "internal" for center in sorted(set(films.test_centers))},
        scored=len(films.test_cases),
        failed=0,
        thresholds=RULE,
        files=listed_scores(place, name),
    )
    write_manifest(place.model(name), said)
    return said


def _thresholds(chosen: dict[str, float]) -> pa.Table:
    columns = {
        "finding": list(chosen),
        "split": [None] * len(chosen),
        "threshold": list(chosen.values()),
        "rule": [RULE] * len(chosen),
    }
    return pa.table(columns, schema=OPERATING_POINTS)
