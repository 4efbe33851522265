"""A trained recipe as a model of the cohort: its scores of the test films, as Explore and Compare know models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import ModelManifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.core.in_sample import Origins
from explorer.lab.trained import FilmLogits, Trained
from explorer.scoring.card_facts import About, model_manifest, operating_points
from explorer.scoring.score_files import Maker, predictions_table
from models.radiograph import PREPROCESSING
from models.statistics import youden
from models.training.lab_recipe import LabRecipe

RULE = "Youden's J on the validation films of {}"


def publish(folder: Folder, place: Folder, name: str, recipe: LabRecipe, made: Trained) -> ModelManifest:
    """Write its scores of the films of the cohort `folder` into `place`, as those of the model `name`.

    Scores that an earlier training left are replaced. Raises NoCohort where the cohort has other films.
    """
    strangers = set(made.test.cases.tolist()) - set(read_table(folder.cases, ["case"])["case"].to_pylist())
    if strangers:
        raise NoCohort(
            f"{folder.name} does not have the films that were scored",
            f"{len(strangers):,} of {len(made.test.cases):,} are not among its cases. Train again with this version.",
        )
    place.model(name).unlink(missing_ok=True)  # it is written last: what is half written is no model
    rule = RULE.format(made.cohort)
    shard = place.predictions(name) / "part-00000.parquet"
    write_table(shard, predictions_table(made.test.cases.tolist(), made.findings, scores(made.test)))
    seen = f"{made.films:,} films of {made.cohort}{_at(recipe.centers)}"
    about = About(
        name=name,
        title=f"{recipe.title}, seed {made.seed}: trained in the lab on {seen}",
        sha256=made.sha256,
        maker=Maker(made.sha256, f"film pipeline {PREPROCESSING}, letterbox {made.size} px, 256 levels of gray"),
        findings=made.findings,
        points={finding: (cut, rule) for finding, cut in thresholds(made.validation, made.findings).items()},
        training=(),
    )
    write_table(place.operating_points(name), operating_points(about))
    centers = sorted(set(made.test.centers.tolist()))
    said = replace(
        model_manifest(about, centers, len(made.test.cases), 0),
        split=f"test films of patients that the model, trained on {seen}, has not seen",
        origins=_origins(centers, made.centers),
        thresholds=rule,
        files=listed_scores(place, name),
    )
    write_manifest(place.model(name), said)
    return said


def scores(films: FilmLogits) -> NDArray[np.float32]:
    """Scores (n, findings) from 0 to 1."""
    found: NDArray[np.float32] = expit(films.logits.astype(np.float64)).astype(np.float32)
    return found


def thresholds(films: FilmLogits, findings: Sequence[str]) -> dict[str, float]:
    """Youden's on the films where a finding is known, of findings that some of these have and others do not."""
    found, said = {}, scores(films)
    for k, finding in enumerate(findings):
        known = ~np.isnan(films.labels[:, k])
        present = films.labels[known, k] > 0.5
        if present.any() and not present.all():
            found[finding] = round(youden(present, said[known, k]), 6)
    return found


def _origins(centers: Sequence[str], trained_on: Sequence[str]) -> Origins:
    """The films are of other patients; a center that no training film is from is external."""
    return {center: "internal" if center in trained_on else "external" for center in centers}


def _at(centers: Sequence[str]) -> str:
    return f" at center {' and '.join(centers)}" if centers else ""
