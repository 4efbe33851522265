"""A cohort's healthy films scored with inserted findings: as one film by hand, resumed, failures counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.images import Images
from explorer.cohorts.inserted_scores import inserted_folder, inserted_models, read_inserted
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import read_model_manifest
from explorer.insertion import detectability
from explorer.insertion.insertion import Insertion, Lungs, insert
from explorer.scoring.healthy_films import healthy_cases
from explorer.scoring.inserted_run import InsertedRun, patient_of, score_inserted
from explorer.simulator.address import make_address
from explorer.simulator.film_png import simulated_png
from models import load
from models.anatomy import anatomy
from models.classifier.classifier import Classifier
from models.radiograph import Radiograph, read_radiograph
from tests.support.model_builders import FINDINGS, write_model
from tests.support.small_cohort import Film, write_small

POINTS = {finding: {"threshold": 0.5, "rule": "set"} for finding in FINDINGS}
NORMAL = {"Normal": "present", "Mass": "absent"}
SEED = 3  # of a simulated patient without findings


def film(case: str, labels: dict[str, str], address: str | None = None, view: str = "PA") -> Film:
    return Film(case, labels, root="phantom", file=address or make_address("A", SEED, []), view=view)


@pytest.fixture
def tiny(tmp_path: Path) -> Classifier:
    return load.classifier(str(write_model(tmp_path, "resnet10t", name="tiny", operating_points=POINTS)), "cpu")


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    """Two healthy films, one of them missing; one with a finding, one uncertain, one lateral, one unlabeled."""
    return write_small(
        tmp_path / "cohorts",
        [
            film("healthy", NORMAL),
            film("missing", NORMAL, "phantom://none"),
            film("ill", {"Normal": "absent", "Mass": "present"}),
            film("unsure", {"Normal": "present", "Mass": "uncertain"}),
            film("lateral", NORMAL, view="lateral"),
            film("unlabeled", {}),
        ],
        {},
    )


def score(cohort: Folder, model: Classifier, films: int = 10) -> InsertedRun:
    return score_inserted(cohort, model, Images(cohorts=lambda: [cohort]), films, part=1)


def test_only_labeled_frontal_films_without_findings_are_chosen(cohort: Folder) -> None:
    assert healthy_cases(cohort, 10) == ["healthy", "missing"]
    assert healthy_cases(cohort, 1) == ["healthy"]


def test_each_row_is_the_score_of_one_inserted_finding(
    cohort: Folder, tiny: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detectability, "PLACES_PER_FILM", 3)
    done = score(cohort, tiny)
    assert done.tried == 2 and list(done.failures) == ["missing"] and done.manifest.scored == 1
    assert inserted_models(cohort) == {"tiny": inserted_folder(cohort)}
    rows = read_inserted(inserted_folder(cohort), "tiny", ["healthy"]).to_pylist()
    count = {finding: sum(row["finding"] == finding for row in rows) for finding in FINDINGS}
    heart = [row for row in rows if row["zone"] == "over the heart"]
    assert len(heart) in (6, 12, 18, 24) and {row["side"] for row in heart} <= {"right", "left"}  # 3 sizes, 2 findings
    lungs = {finding: count[finding] - len(heart) // 2 for finding in ("Mass", "Nodule")}
    assert lungs["Mass"] == lungs["Nodule"] in (6, 9) and count["Pleural Effusion"] == 6 and not count["Normal"]
    shown = read_radiograph(simulated_png(make_address("A", SEED, [])))
    outlines = anatomy(shown)
    row = next(row for row in rows if row["finding"] == "Mass" and row["severity"] == pytest.approx(0.9))
    height, width = shown.pixels.shape
    point = (row["column"] * width, row["row"] * height)
    assert outlines[f"{row['side']} lung"][round(point[1]), round(point[0])] and row["zone"].startswith(row["side"])
    wanted = Insertion("Mass", row["side"], 0.9, patient_of("healthy"), point)
    changed = insert(shown.pixels, Lungs.outlined(outlines, shown), wanted).film
    scores = tiny.score([shown, Radiograph.from_pixels(changed)])[:, FINDINGS.index("Mass")]
    assert [row["without"], row["score"]] == pytest.approx(scores.tolist(), abs=1e-4)


def test_a_run_goes_on_with_films_that_are_missing(
    cohort: Folder, tiny: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detectability, "PLACES_PER_FILM", 2)
    assert score(cohort, tiny, 1).tried == 1
    before = read_inserted(inserted_folder(cohort), "tiny").to_pylist()
    again = score(cohort, tiny)
    assert again.tried == 1 and again.manifest.scored == 1 and again.manifest.failed == 1
    assert read_inserted(inserted_folder(cohort), "tiny").to_pylist() == before
    assert "missing" in inserted_folder(cohort).failures("tiny").read_text()
    assert "findings inserted" in read_model_manifest(inserted_folder(cohort).model("tiny")).preprocessing


def test_scores_lie_apart_from_those_of_real_findings(
    cohort: Folder, tiny: Classifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detectability, "PLACES_PER_FILM", 2)
    score(cohort, tiny, 1)
    assert "tiny" not in cohort.models()


def test_a_model_without_thresholds_is_refused(cohort: Folder, tmp_path: Path) -> None:
    model = load.classifier(str(write_model(tmp_path, "resnet10t", name="tiny")), "cpu")
    with pytest.raises(NoCohort, match="tiny has a threshold for no finding that can be inserted"):
        score(cohort, model)


def test_a_cohort_without_healthy_films_is_refused(tmp_path: Path, tiny: Classifier) -> None:
    folder = write_small(tmp_path / "ill", [film("ill", {"Mass": "present"})], {})
    with pytest.raises(NoCohort, match="no frontal film that is labeled and without findings"):
        score(folder, tiny)
