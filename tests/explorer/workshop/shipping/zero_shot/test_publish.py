"""A way is a model of the cohort with the unseen findings alone, its threshold chosen without any label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.layout import Folder, cohort_folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.simulator.cohort_sampling import UNSEEN_FINDINGS
from explorer.workshop.shipping.zero_shot.publish import FLAGGED_RULE, FLAGGED_SHARE, ZeroShotScores, publish_zero_shot

RANDOM = np.random.default_rng(0)
WAY = ZeroShotScores(
    "zero-shot-guess", "guessed", RANDOM.random((500, len(UNSEEN_FINDINGS))), RANDOM.random((3, len(UNSEEN_FINDINGS)))
)


def test_a_tenth_of_the_validation_films_is_called(tmp_path: Path) -> None:
    cohort = Folder(tmp_path / "phantom")
    publish_zero_shot(cohort, WAY, ["a", "b", "c"], "0" * 64)
    cuts = read_table(cohort.operating_points(WAY.name)).to_pandas().set_index("finding").threshold
    assert set(cuts.index) == set(UNSEEN_FINDINGS)
    for finding, scores in zip(UNSEEN_FINDINGS, WAY.validation.T, strict=True):
        assert (scores >= cuts[finding]).mean() == pytest.approx(FLAGGED_SHARE, abs=0.003)
    said = read_model_manifest(cohort.model(WAY.name))
    assert said.findings == UNSEEN_FINDINGS and said.thresholds == FLAGGED_RULE and said.scored == 3
    scores = read_table(cohort.predictions(WAY.name) / "part-00000.parquet").to_pandas()
    found = scores.pivot_table(index="case", columns="finding", values="score", observed=True)
    np.testing.assert_allclose(found.loc[["a", "b", "c"], list(UNSEEN_FINDINGS)].to_numpy(), WAY.test, atol=1e-6)


def test_the_shipped_ways_call_few_of_the_test_films() -> None:
    """More than a tenth, for the test films hold more of every rare finding than the validation films as drawn."""
    cohort = cohort_folder("phantom")
    for name in (name for name in cohort.models() if name.startswith("zero-shot-")):
        assert read_model_manifest(cohort.model(name)).thresholds == FLAGGED_RULE
        cuts = read_table(cohort.operating_points(name)).to_pandas().set_index("finding").threshold
        scores = read_table(cohort.predictions(name) / "part-00000.parquet").to_pandas()
        called = (scores.score >= scores.finding.astype(str).map(cuts)).groupby(scores.finding.astype(str)).mean()
        assert called.between(0.05, 0.2).all(), name
