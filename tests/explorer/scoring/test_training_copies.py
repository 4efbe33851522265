"""Training films are known again whatever their center is called, and no name alone makes a center external."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.parquet_files import write_table
from explorer.scoring.card_facts import ScoringModel, model_manifest, scoring_classifier
from explorer.scoring.score_files import features_table
from explorer.scoring.training_copies import CopyCount, training_copies
from models.cards.classifier_card import classifier_card
from tests.explorer.scoring.cohorts import write_cohort
from tests.support.wording import Wording

MODEL = "nih-mini"
SHIPPED = Folder(CACHE / "nih-oof")


@pytest.fixture(scope="module")
def model() -> ScoringModel:
    return scoring_classifier(classifier_card(MODEL))


def cohort_of(tmp_path: Path, centers: dict[str, np.ndarray]) -> Folder:
    """A cohort whose films have these features (n, d) by center."""
    films = [(center, f"{n}.png") for center, rows in centers.items() for n in range(len(rows))]
    folder = write_cohort(Folder(tmp_path / "renamed"), films, tmp_path)
    cases = [f"{center} {file}" for center, file in films]
    features = np.concatenate(list(centers.values()))
    write_table(folder.embeddings(MODEL) / "part-00000.parquet", features_table(cases, features))
    return folder


def shipped_features(n: int) -> np.ndarray:
    blobs = pq.read_table(SHIPPED.embeddings(MODEL))["features"].to_pylist()[:n]
    return np.stack([np.frombuffer(blob, "<f2") for blob in blobs]).astype(np.float32)


def test_renamed_training_films_are_in_sample(model: ScoringModel, tmp_path: Path, wording: Wording) -> None:
    trained = shipped_features(300)
    others = np.roll(trained[:7], 100, axis=1)
    cohort = cohort_of(tmp_path, {"East": trained, "North": np.r_[trained[:3], others], "West": others})
    copies = training_copies(cohort, cohort, MODEL, model.sha256)
    assert copies == {"East": CopyCount(300, 300), "North": CopyCount(3, 10), "West": CopyCount(0, 7)}
    made = model_manifest(model, ["East", "North", "West"], 317, 0, copies)
    assert made.origins == {"East": "in-sample", "North": "possibly in-sample", "West": "external by name"}
    wording(made.split, "300 of 300 films", "3 of 10 films", "no copy")


def test_features_of_other_weights_are_not_compared(model: ScoringModel, tmp_path: Path) -> None:
    cohort = cohort_of(tmp_path, {"East": shipped_features(3)})
    assert training_copies(cohort, cohort, MODEL, "0" * 64) == {}
    assert training_copies(cohort, cohort, "another", model.sha256) == {}


def test_a_name_alone_makes_no_center_external(model: ScoringModel) -> None:
    made = model_manifest(model, ["East", "NIH"], 2, 0)
    assert made.origins == {"East": "external by name", "NIH": "possibly in-sample"}
    assert "copy" not in made.split
    assert model_manifest(replace(model, training=()), ["East"], 1, 0).origins == {}
