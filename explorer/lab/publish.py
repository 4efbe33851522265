"""A trained recipe as a model of the cohort: its scores of the test films, as Explore and Compare know models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import ModelManifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.lab.films import LabFilms
from explorer.lab.run import FINAL, Trained, folder_of
from explorer.scoring.card_facts import About, model_manifest, operating_points
from explorer.scoring.run import place_for
from explorer.scoring.score_files import Maker, predictions_table
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
    sha256 = sha256_of(folder_of(run, recipe.name, seed) / FINAL)
    about = About(
        name=name,
        title=f"{recipe.title}, seed {seed}: trained in the lab on {len(films.training):,} films of the phantom",
        sha256=sha256,
        maker=Maker(sha256, f"film pipeline {PREPROCESSING}, letterbox {recipe.stages[0].size} px, 256 levels of gray"),
        findings=films.findings,
        points={finding: (point.threshold, RULE) for finding, point in chosen.items()},
        training=(),
    )
    write_table(place.operating_points(name), operating_points(about))
    centers = sorted(set(films.test_centers.tolist()))
    said = replace(
        model_manifest(about, centers, len(films.test_cases), 0),
        split=f"test films of patients that the model, trained on {len(films.training):,} others, has not seen",
        origins=dict.fromkeys(centers, "internal"),
        thresholds=RULE,
        files=listed_scores(place, name),
    )
    write_manifest(place.model(name), said)
    return said
