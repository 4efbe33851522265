from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from explorer.analysis.cases.cohort_context import cohort_context
from explorer.analysis.cases.training_film import training_film
from explorer.analysis.exports.film_report import film_report, report_csv, report_json
from explorer.cohorts.layout import CACHE, Folder
from explorer.reading.finding_list import finding_rows
from explorer.store.store import Store
from models import load
from models.cards.classifier_card import classifier_card
from models.gate.judgment import judge
from models.radiograph import read_radiograph
from tests.support.lasting_store import loaded_store
from tests.support.wording import Wording

HERNIA = "00009507_001"  # a film of nih-mini's training, whose label of hernia it knows by heart


@pytest.fixture(scope="module")
def store() -> Store:
    return loaded_store()


def test_a_film_of_the_training_is_known_by_its_features_and_has_its_unseen_scores(
    shared: Path, store: Store, wording: Wording
) -> None:
    model = load.classifier("nih-mini")
    radiograph = read_radiograph((shared / "data/nih_cxr14/images" / f"{HERNIA}.jpg").read_bytes())
    scores, features = model.read(radiograph)
    found = training_film(store, model.card, features)
    assert found is not None and found.cohort == "nih-oof"
    out_of_fold = pd.read_parquet(Folder(CACHE / "nih-oof").predictions("nih-mini"))
    wanted = out_of_fold[out_of_fold.case == HERNIA].set_index("finding").score.to_dict()
    assert found.unseen == pytest.approx(wanted)
    row = scores[model.card.findings.index("Hernia")]
    assert row > 0.4 and found.unseen["Hernia"] < 0.1
    wording(found.words("Hernia"), "0.09")

    rows = finding_rows(model.card, scores)
    made = film_report(
        model.card,
        "cpu",
        radiograph,
        rows,
        judge(radiograph, model, features),
        cohort_context(store, model.card, rows, features),
    )
    line = next(line for line in csv.DictReader(io.StringIO(report_csv(made))) if line["finding"] == "Hernia")
    assert line["training_film"] == found.words("Hernia")
    assert float(line["unseen_score"]) == pytest.approx(found.unseen["Hernia"], abs=1e-5)
    said = json.loads(report_json(made))["training_film"]
    wording(said["says"], "in-sample")
    assert said["unseen"]["Hernia"] == found.unseen["Hernia"]


def test_a_film_that_no_cohort_has_is_not_said_to_be_of_the_training(store: Store) -> None:
    features = np.random.default_rng(0).normal(size=1280).astype(np.float32)
    assert training_film(store, classifier_card("nih-mini"), features) is None


def test_test_films_are_not_training_films(store: Store) -> None:
    embeddings = pd.read_parquet(Folder(CACHE / "phantom").embeddings("phantom"))
    features = np.frombuffer(embeddings.features[0], "<f2").astype(np.float32)
    said = cohort_context(store, classifier_card("phantom"), (), features)
    assert said.copy and said.training is None
