"""Publishes a way of asking for unseen findings as a model of the cohort, so that Explore and Compare show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.scoring.card_facts import ScoringModel
from explorer.scoring.score_files import ScoreOrigin
from explorer.simulator.cohort_sampling import UNSEEN_FINDINGS
from explorer.simulator.request import CENTERS
from explorer.workshop.lab.cohort_scores import write_model_scores
from models.radiograph import PREPROCESSING
from models.training.recipe import TrainingRecipe

FLAGGED_SHARE = 0.1  # fraction of validation films above the threshold; without labels nothing else can be chosen
FLAGGED_RULE = f"so that {FLAGGED_SHARE:.0%} of the validation films are called; no label was looked at"


@dataclass(frozen=True, slots=True, eq=False)
class ZeroShotScores:
    """A way's scores (n, UNSEEN) from 0 to 1 of validation and test films."""

    name: str
    title: str
    validation: NDArray[np.floating]
    test: NDArray[np.floating]


def publish_zero_shot(cohort: Folder, way: ZeroShotScores, cases: Sequence[str], tower: str) -> None:
    """Write the scores of the test films `cases`; `tower` is the hash of the classifier's weights."""
    cuts = np.quantile(way.validation, 1 - FLAGGED_SHARE, axis=0)
    about = ScoringModel(
        name=way.name,
        title=f"Zero-shot on the tower of phantom: {way.title}",
        sha256=tower,
        maker=ScoreOrigin(tower, f"film pipeline {PREPROCESSING}, letterbox {TrainingRecipe().size} px"),
        findings=UNSEEN_FINDINGS,
        points={
            finding: (round(float(cut), 6), FLAGGED_RULE) for finding, cut in zip(UNSEEN_FINDINGS, cuts, strict=True)
        },
        training=(),
    )
    write_model_scores(
        cohort,
        about,
        cases,
        way.test.astype(np.float32),
        split="test films of patients that the tower has not seen; no label or caption names the findings",
        origins=dict.fromkeys(CENTERS, "internal"),
        rule=FLAGGED_RULE,
    )
