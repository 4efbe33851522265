"""Writes a model's scores of the test films into a cohort, where Explore and Compare find them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import ModelManifest, Training, write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.cohorts.predictions_table import predictions_table
from explorer.core.in_sample import Origins
from explorer.scoring.card_facts import ScoringModel, model_manifest, operating_points


def write_model_scores(
    place: Folder,
    about: ScoringModel,
    cases: Sequence[str],
    scores: NDArray[np.float32],
    *,
    split: str,
    origins: Origins,
    rule: str,
    training: Training | None = None,
) -> ModelManifest:
    """Write `scores` (n, findings) of `cases` into `place`, replacing older ones; return the model's manifest.

    `split` says how these films are separated from the training films, `origins` says so for each center, `rule` how
    thresholds were chosen, and `training` what the lab knows about a trained recipe.
    """
    name = about.name
    place.model(name).unlink(missing_ok=True)  # written last, so that a half-written model does not count
    table = predictions_table(list(cases), about.findings, scores)
    write_table(place.predictions(name) / "part-00000.parquet", table)
    write_table(place.operating_points(name), operating_points(about))
    made = replace(
        model_manifest(about, sorted(origins), len(cases), 0),
        split=split,
        origins=origins,
        thresholds=rule,
        training=training,
        files=listed_scores(place, name),
    )
    write_manifest(place.model(name), made)
    return made
