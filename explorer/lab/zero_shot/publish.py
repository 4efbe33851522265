"""A way to ask for unseen findings as a model of the cohort, as Explore and Compare know models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_scores
from explorer.cohorts.manifest import write_manifest
from explorer.cohorts.parquet_files import write_table
from explorer.phantom.cohort_sampling import UNSEEN
from explorer.phantom.request import CENTERS
from explorer.scoring.card_facts import About, model_manifest, operating_points
from explorer.scoring.score_files import Maker, predictions_table
from models.radiograph import PREPROCESSING
from models.training.recipe import Recipe

CALLED = 0.1  # share of the validation films that a way calls: with no label of a finding nothing else can be chosen
RULE = f"so that {CALLED:.0%} of the validation films are called; no label was looked at"


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """Scores (n, UNSEEN) from 0 to 1 of validation and of test films."""

    name: str
    title: str
    validation: NDArray[np.floating]
    test: NDArray[np.floating]


def publish(cohort: Folder, way: Way, cases: Sequence[str], tower: str) -> None:
    """Write the scores of the test films, `cases`; `tower` is the hash of the weights behind them."""
    name = way.name
    cohort.model(name).unlink(missing_ok=True)  # it is written last: what is half written is no model
    table = predictions_table(list(cases), UNSEEN, way.test.astype(np.float32))
    write_table(cohort.predictions(name) / "part-00000.parquet", table)
    cuts = np.quantile(way.validation, 1 - CALLED, axis=0)
    about = About(
        name=name,
        title=f"Zero-shot on the tower of phantom: {way.title}",
        sha256=tower,
        maker=Maker(tower, f"film pipeline {PREPROCESSING}, letterbox {Recipe().size} px"),
        findings=UNSEEN,
        points={finding: (round(float(cut), 6), RULE) for finding, cut in zip(UNSEEN, cuts, strict=True)},
        training=(),
    )
    write_table(cohort.operating_points(name), operating_points(about))
    made = replace(
        model_manifest(about, CENTERS, len(cases), 0),
        split="test films of patients that the tower has not seen; no label or caption names the findings",
        origins=dict.fromkeys(CENTERS, "internal"),
        thresholds=RULE,
        files=listed_scores(cohort, name),
    )
    write_manifest(cohort.model(name), made)
