"""NIH and Hannover as one cohort scored by the shipped model: the commands of the README, on some of the films."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.cohorts import layout
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest, read_model_manifest
from models import load
from models.radiograph import read_radiograph
from tests.explorer.cli.command import run
from tests.explorer.scoring.cohorts import features_of, scores_of
from tests.explorer.scoring.two_centers import write_two_centers
from tests.support.wording import Wording, line_with

pytestmark = pytest.mark.shared
NIH, HANNOVER = 40, 20


@pytest.fixture(scope="module")
def said(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Both commands; what the second one said."""
    place = tmp_path_factory.mktemp("two")
    write_two_centers(shared, place, NIH, HANNOVER)
    table = ["--table", str(place / "films.csv"), "--columns", str(place / "map.toml")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAILSCOPE_HOME", str(place / "home"))
        made = run("ingest", "csv", *table, "--images", str(shared / "data"), "--out", "two")
        assert made.exit_code == 0, made.stderr
        scored = run("score", "--cohort", "two", "--model", "nih-mini", "--device", "cpu", "--part-films", "16")
        assert scored.exit_code == 0, scored.stderr
        patch.undo()
    return f"{place}\n{scored.stdout}"


@pytest.fixture
def cohort(said: str, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.setenv("TAILSCOPE_HOME", str(Path(said.splitlines()[0]) / "home"))
    return layout.cohort_folder("two")


def test_all_films_of_both_centers_have_scores(cohort: Folder) -> None:
    manifest = read_model_manifest(cohort.model("nih-mini"))
    assert (read_manifest(cohort.manifest).cases, manifest.scored, manifest.failed) == (60, 60, 0)
    assert len(scores_of(cohort, "nih-mini")) == 60 * 15


def test_films_of_a_training_center_are_in_sample_and_others_external_by_name(
    cohort: Folder, said: str, wording: Wording
) -> None:
    manifest = read_model_manifest(cohort.model("nih-mini"))
    assert manifest.origins == {"Hannover": "external by name", "NIH": "in-sample"}
    wording(manifest.split, "in-sample", "NIH", "1,650 films", "40 of 40 films", "Hannover")
    assert "NIH (in-sample)" in said


def test_hannover_has_scores_but_no_labels_and_is_said_to_show_a_shift_only(
    cohort: Folder, said: str, wording: Wording
) -> None:
    center = dict(zip(*pq.read_table(cohort.cases, columns=["case", "center"]).to_pydict().values(), strict=True))
    assert {center[case] for case in pq.read_table(cohort.labels)["case"].to_pylist()} == {"NIH"}
    wording(line_with(said, "Hannover (external by name"))
    wording(line_with(said, "Hannover:", "shift"))


def test_the_calls_it_tells_are_those_of_the_scores(cohort: Folder, said: str) -> None:
    point = load.classifier("nih-mini", "cpu").card.operating_points["Mass"].threshold
    scores = {case: score for (case, finding), score in scores_of(cohort, "nih-mini").items() if finding == "Mass"}
    center = dict(zip(*pq.read_table(cohort.cases, columns=["case", "center"]).to_pydict().values(), strict=True))
    called = [sum(score >= point for case, score in scores.items() if center[case] == c) for c in ("Hannover", "NIH")]
    (line,) = [line for line in said.splitlines() if line.startswith("Mass ")]
    assert f" {called[0]} of {HANNOVER}: " in line and f" {called[1]} of {NIH}: " in line


def test_cached_numbers_are_those_of_a_film_that_is_read_live(cohort: Folder, shared: Path) -> None:
    model = load.classifier("nih-mini", "cpu")
    cached, features = scores_of(cohort, "nih-mini"), features_of(cohort, "nih-mini")
    for row in pq.read_table(cohort.cases, columns=["case", "file"]).to_pylist()[::9]:
        live = model.explain(read_radiograph(shared / "data" / row["file"]))
        scores = [cached[row["case"], finding] for finding in model.findings]
        assert scores == pytest.approx(live.scores.tolist(), abs=1e-5), "within what float32 gives in another batch"
        assert features[row["case"]].astype(np.float32) == pytest.approx(live.features, rel=1e-3, abs=1e-3)


def test_its_operating_points_are_the_cards(cohort: Folder) -> None:
    points = pq.read_table(cohort.operating_points("nih-mini")).to_pylist()
    stated = load.classifier("nih-mini", "cpu").card.operating_points
    assert {row["finding"]: row["threshold"] for row in points} == {
        finding: point.threshold for finding, point in stated.items()
    }
    assert {row["split"] for row in points} == {None}
