"""Scores that a shipped cohort keeps of a model: whose films count, and what they say of a flag."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest

from explorer.cohorts import layout
from explorer.cohorts.layout import CACHE
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.core.rates import Rate
from explorer.reading import shipped_scores as module
from explorer.reading.finding_list import finding_rows
from explorer.reading.flag_right import flag_right_near
from explorer.reading.shipped_scores import shipped_scores
from models.cards.classifier_card import classifier_card

PHANTOM = CACHE / "phantom"
KEPT = {"labels.parquet", "manifest.json", "models", "phantom.json", "predictions", "phantom", "part-00000.parquet"}
SCORES = f"""
    SELECT score, label = 'present' FROM '{PHANTOM}/predictions/phantom/*.parquet'
    JOIN '{PHANTOM}/labels.parquet' USING ("case", finding)
    WHERE finding = ? AND source = 'the simulator: exact' AND label IN ('present', 'absent') ORDER BY score
"""


@pytest.mark.parametrize(("finding", "score"), [("Mass", 0.5), ("Pneumothorax", 0.3), ("Emphysema", 0.05)])
def test_a_flag_is_counted_on_films_of_the_shipped_cohort(finding: str, score: float) -> None:
    counted = flag_right_near(classifier_card("phantom"), finding, score)
    rows = duckdb.execute(SCORES, [finding]).fetchall()
    place = sum(each < score for each, _ in rows)
    near = rows[place - 15 : place + 15]
    assert counted is not None and counted.rate == Rate(sum(had for _, had in near), 30)
    assert counted.of_all == Rate(sum(had for _, had in rows), len(rows))


def test_other_weights_of_the_same_name_have_none() -> None:
    assert shipped_scores(replace(classifier_card("phantom"), sha256="0" * 64)) is None


def test_films_that_a_model_was_fitted_on_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = replace(classifier_card("phantom"), name="copied")
    for origin in ("internal", "in-sample"):
        place = tmp_path / origin / "phantom"
        shutil.copytree(PHANTOM, place, ignore=lambda folder, names: set(names) - KEPT)
        made = read_model_manifest(PHANTOM / "models" / "phantom.json")
        (place / "predictions" / "phantom").rename(place / "predictions" / "copied")
        write_manifest(place / "models" / "copied.json", replace(made, model="copied", origins={"A": origin}))
        monkeypatch.setattr(layout, "CACHE", tmp_path / origin)
        module._scores.cache_clear()
        assert (shipped_scores(about) is None) == (origin == "in-sample")


def test_a_high_score_says_more_than_one_at_the_threshold() -> None:
    phantom = classifier_card("phantom")
    place = phantom.findings.index("Mass")
    scores = np.array([[0.0] * len(phantom.findings)] * 2, np.float32)
    scores[0, place], scores[1, place] = phantom.operating_points["Mass"].threshold, 0.98
    low, high = (next(row for row in finding_rows(phantom, film) if row.finding == "Mass") for film in scores)
    assert high.verdict == "likely" and low.verdict != "likely"
