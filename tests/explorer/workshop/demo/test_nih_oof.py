"""The shipped cohort: what `demo` makes, beside the model's card and beside the real films."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.schema import BOXES, CASES, EMBEDDINGS, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.core.findings import NIH_WORDS
from explorer.workshop.demo.nih_oof import COHORT_NAME, MODEL, write_demo
from explorer.workshop.demo.nih_oof_twin import TWIN, exact_margins
from models import load
from models.cards.classifier_card import classifier_card
from models.prompts.standard import standard_prompts
from models.radiograph import read_radiograph
from tests.support.same_values import assert_same_folder

SHIPPED = Folder(CACHE / COHORT_NAME)
FILMS = 1650


@pytest.mark.processor
def test_it_makes_the_shipped_cohort(tmp_path: Path) -> None:
    """Cases, labels and boxes are read, and equal to the byte; scores and thresholds are computed."""
    assert_same_folder(
        write_demo(tmp_path).path, SHIPPED.path, read=("cases.parquet", "labels.parquet", "boxes.parquet")
    )


@pytest.mark.parametrize(
    ("file", "schema", "rows"),
    [
        (SHIPPED.cases, CASES, FILMS),
        (SHIPPED.labels, LABEL_ROWS, FILMS * 15),
        (SHIPPED.predictions(MODEL), PREDICTIONS, FILMS * 15),
        (SHIPPED.embeddings(MODEL), EMBEDDINGS, FILMS),
        (SHIPPED.operating_points(MODEL), OPERATING_POINTS, 5 * 15),
        (SHIPPED.predictions(TWIN), PREDICTIONS, FILMS * 15),
        (SHIPPED.embeddings(TWIN), EMBEDDINGS, FILMS),
        (SHIPPED.operating_points(TWIN), OPERATING_POINTS, 5 * 15),
        (SHIPPED.boxes, BOXES, 39),
    ],
)
def test_its_files_are_as_the_schema_says(file: Path, schema: object, rows: int) -> None:
    table = pq.read_table(file)
    assert table.schema.equals(schema)
    assert table.num_rows == rows


@pytest.mark.processor
def test_its_thresholds_give_the_rates_of_the_models_card() -> None:
    """Both choose each fold's threshold on the other folds, and count it where it was not chosen."""
    fold = dict(zip(*pq.read_table(SHIPPED.cases, columns=["case", "split"]).to_pydict().values(), strict=True))
    points = pq.read_table(SHIPPED.operating_points(MODEL)).to_pylist()
    cut = {(row["finding"], row["split"]): row["threshold"] for row in points}
    score = {
        (row["case"], row["finding"]): row["score"] for row in pq.read_table(SHIPPED.predictions(MODEL)).to_pylist()
    }
    calls: dict[tuple[str, str], list[bool]] = {}
    for row in pq.read_table(SHIPPED.labels).to_pylist():
        case, finding = row["case"], row["finding"]
        called = score[case, finding] >= cut[finding, fold[case]]
        calls.setdefault((finding, row["label"]), []).append(called)
    stated = classifier_card(MODEL).operating_points
    assert len(stated) == 15
    for finding, point in stated.items():
        present, absent = calls[finding, "present"], calls[finding, "absent"]
        assert (len(present), len(absent)) == (point.positives, point.negatives)
        assert np.mean(present) == pytest.approx(point.sensitivity, abs=6e-5), finding
        assert 1 - np.mean(absent) == pytest.approx(point.specificity, abs=6e-5), finding


@pytest.mark.processor
def test_the_twins_margins_are_its_embeddings_along_the_standard_prompts() -> None:
    model, made = load.vlm(TWIN, "cpu"), read_model_manifest(SHIPPED.model(TWIN))
    assert (made.unit, made.scale, made.sha256) == ("margin", pytest.approx(model.scale), model.card.sha256)
    rows = pq.read_table(SHIPPED.embeddings(TWIN)).to_pylist()
    embeddings = np.stack([np.frombuffer(row["features"], "<f2") for row in rows]).astype(np.float32)
    assert np.linalg.norm(embeddings, axis=1) == pytest.approx(1, abs=1e-3)
    said = pq.read_table(SHIPPED.predictions(TWIN)).to_pylist()
    stored = {(row["case"], row["finding"]): row["score"] for row in said}
    asked = standard_prompts(model.card.templates)
    live = embeddings @ model.directions([asked[finding] for finding in made.findings]).T
    for row, values in zip(rows, live, strict=True):
        assert [stored[row["case"], finding] for finding in made.findings] == pytest.approx(values, abs=2e-6)


def test_a_margin_does_not_depend_on_the_order_of_its_terms() -> None:
    dice = np.random.default_rng(0)
    embeddings = dice.standard_normal((40, 384)).astype(np.float16) / np.float16(20)
    directions = dice.standard_normal((15, 384)).astype(np.float32) / 20
    turned = dice.permutation(384)
    found = exact_margins(embeddings, directions)
    assert np.array_equal(found, exact_margins(embeddings[:, turned], directions[:, turned]))
    exact = embeddings.astype(np.float64) @ directions.astype(np.float64).T
    assert found == pytest.approx(exact, abs=1e-6)


@pytest.mark.processor
@pytest.mark.shared
def test_its_features_are_those_of_a_film_that_is_read_now(shared: Path) -> None:
    model = load.classifier(MODEL, "cpu")
    features = {row["case"]: row["features"] for row in pq.read_table(SHIPPED.embeddings(MODEL)).to_pylist()}
    cases = pq.read_table(SHIPPED.cases, columns=["case", "file"]).to_pylist()
    folders = {".jpg": "images", ".png": "images_64px"}
    for case in cases[::110]:
        path = shared / "data" / "nih_cxr14" / folders[Path(case["file"]).suffix] / case["file"]
        live = model.features([read_radiograph(path)])[0]
        kept = np.frombuffer(features[case["case"]], "<f2").astype(np.float32)
        assert kept == pytest.approx(live, rel=2e-3, abs=1e-3), case


@pytest.mark.shared
def test_its_patients_views_sexes_ages_and_labels_are_those_of_nihs_table(shared: Path) -> None:
    with (shared / "data" / "nih_cxr14" / "labels.csv").open(newline="") as file:
        rows = {row["image_id"]: row for row in csv.DictReader(file)}
    for case in pq.read_table(SHIPPED.cases).to_pylist():
        row = rows[case["case"]]
        age = None if case["age"] is None else str(case["age"])
        assert (case["patient"], case["view"], case["sex"], age) == (
            row["patient_id"],
            row["view"],
            row["sex"],
            row["age"],
        )
        assert Path(row["file"]).name == case["file"]
    present: dict[str, set[str]] = {case: set() for case in rows}
    for label in pq.read_table(SHIPPED.labels).to_pylist():
        if label["label"] == "present":
            present[label["case"]].add(label["finding"])
    for case, row in rows.items():
        words = set(row["findings"].split("|"))
        assert present[case] == {NIH_WORDS.get(word, word) for word in words}, case
