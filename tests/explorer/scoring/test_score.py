"""A cohort scored in this process: what is beside it afterwards, and that a live film has the same numbers."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch

from explorer.cohorts import layout
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.manifest import read_model_manifest
from explorer.ingest.building import cohort_being_built
from explorer.scoring.run import score_cohort
from explorer.tabular.problems import WrongInput
from models import load
from models.classifier.classifier import Classifier
from models.radiograph import PREPROCESSING
from tests.explorer.scoring.cohorts import features_of, scores_of, write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.full_disk import full_disk
from tests.support.model_builders import FINDINGS, write_model
from tests.support.shipped_models import OF_NIH_OOF
from tests.support.wording import Wording

FILMS = 40


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    folder = tmp_path_factory.mktemp("tiny")
    return load.classifier(str(write_model(folder, "resnet10t", name="tiny")), "cpu")


@pytest.fixture
def films(tmp_path: Path) -> Path:
    write_films(tmp_path / "films", FILMS)
    return tmp_path / "films"


@pytest.fixture
def cohort(tmp_path: Path, films: Path) -> Folder:
    names = [("north" if number % 2 else "south", path.name) for number, path in enumerate(sorted(films.iterdir()))]
    return write_cohort(Folder(tmp_path / "cohorts" / "own"), names, films)


def images_of(folder: Folder) -> Images:
    return Images(cohorts=lambda: [folder])


def test_every_film_has_a_score_of_every_finding_and_features(cohort: Folder, tiny: Classifier) -> None:
    told: list[tuple[int, int]] = []
    outcome = score_cohort(cohort, tiny, images_of(cohort), lambda done, of: told.append((done, of)), part=16)
    cases = pq.read_table(cohort.cases)["case"].to_pylist()
    assert set(scores_of(cohort, "tiny")) == {(case, finding) for case in cases for finding in FINDINGS}
    assert set(features_of(cohort, "tiny")) == set(cases)
    assert told == [(16, FILMS), (32, FILMS), (FILMS, FILMS)]
    assert (outcome.tried, outcome.failures) == (FILMS, {})
    assert len(list(cohort.predictions("tiny").glob("part-*.parquet"))) == 3


def test_the_model_says_what_made_its_scores(cohort: Folder, tiny: Classifier, wording: Wording) -> None:
    outcome = score_cohort(cohort, tiny, images_of(cohort))
    manifest = read_model_manifest(cohort.model("tiny"))
    assert manifest == outcome.manifest
    assert (manifest.sha256, manifest.findings) == (tiny.card.sha256, FINDINGS)
    assert manifest.preprocessing == f"film pipeline {PREPROCESSING}, letterbox 64 px"
    assert (manifest.scored, manifest.failed, manifest.origins) == (FILMS, 0, {})
    wording(manifest.split, "not known")
    wording(manifest.thresholds, "none")
    assert pq.read_table(cohort.operating_points("tiny")).num_rows == 0


def test_a_cohort_is_not_replaced_while_it_is_scored_nor_scored_while_it_is_replaced(
    cohort: Folder, tiny: Classifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    assert own_cohorts() / "own" == cohort.path
    refused: list[str] = []

    def replace(done: int, of: int) -> None:
        with pytest.raises(WrongInput) as refusal, cohort_being_built("own", replace=True):
            pass
        refused.append(str(refusal.value))

    score_cohort(cohort, tiny, images_of(cohort), replace, part=16)
    assert len(refused) == 3
    (same,) = set(refused)
    wording(same, "'own'", "being scored")
    assert len(scores_of(cohort, "tiny")) == FILMS * len(FINDINGS)
    with cohort_being_built("own", replace=True) as new:
        with pytest.raises(NoCohort, match="own is being replaced"):
            score_cohort(cohort, tiny, images_of(cohort))
        write_cohort(new, [], tmp_path)
    assert not cohort.predictions("tiny").exists()


def test_films_that_failed_have_reasons_and_are_tried_again(
    cohort: Folder, films: Path, tiny: Classifier, wording: Wording
) -> None:
    good = (films / "0007.png").read_bytes()
    (films / "0007.png").write_bytes(good[: len(good) // 2])
    (films / "0009.png").rename(films / "elsewhere")
    first = score_cohort(cohort, tiny, images_of(cohort), part=16)
    assert set(first.failures) == {"north 0007.png", "north 0009.png"}
    wording(first.failures["north 0007.png"], "cut short")
    wording(first.failures["north 0009.png"], "missing")
    assert (first.manifest.scored, first.manifest.failed) == (FILMS - 2, 2)
    before = scores_of(cohort, "tiny")
    (films / "0007.png").write_bytes(good)
    second = score_cohort(cohort, tiny, images_of(cohort), part=16)
    assert (second.tried, second.manifest.scored, list(second.failures)) == (2, FILMS - 1, ["north 0009.png"])
    (films / "elsewhere").rename(films / "0009.png")
    third = score_cohort(cohort, tiny, images_of(cohort), part=16)
    assert (third.tried, third.manifest.scored, third.failures) == (1, FILMS, {})
    assert not cohort.failures("tiny").exists()
    assert before.items() < scores_of(cohort, "tiny").items()


def test_what_has_scores_is_not_scored_again(cohort: Folder, tiny: Classifier) -> None:
    score_cohort(cohort, tiny, images_of(cohort), part=16)
    before = {path: path.stat().st_mtime_ns for path in cohort.predictions("tiny").glob("part-*")}
    assert score_cohort(cohort, tiny, images_of(cohort), part=16).tried == 0
    assert {path: path.stat().st_mtime_ns for path in cohort.predictions("tiny").glob("part-*")} == before


def test_torch_has_its_threads_back(cohort: Folder, tiny: Classifier) -> None:
    before = torch.get_num_threads()
    score_cohort(cohort, tiny, images_of(cohort))
    assert torch.get_num_threads() == before


def test_a_cohort_whose_films_are_not_here_is_refused(cohort: Folder, tiny: Classifier) -> None:
    with pytest.raises(NoCohort, match="Say where they are: --images own=DIR"):
        score_cohort(cohort, tiny, Images({}, list))
    assert not cohort.predictions("tiny").exists()


@pytest.mark.slow
@pytest.mark.shared
def test_nothing_is_written_into_a_shipped_cohort(
    shared: Path, tiny: Classifier, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    before = sorted(path for path in layout.CACHE.rglob("*") if "thumbnails" not in path.parts)
    images = Images({"nih": shared / "data" / "nih_cxr14"})
    with pytest.raises(NoCohort, match="out of fold"):
        score_cohort(layout.cohort_folder("nih-oof"), load.classifier("nih-mini", "cpu"), images)
    outcome = score_cohort(layout.cohort_folder("nih-oof"), tiny, images)
    assert outcome.manifest.scored == 1650
    assert sorted(path for path in layout.CACHE.rglob("*") if "thumbnails" not in path.parts) == before
    assert set(layout.cohort_folder("nih-oof").models()) == {*OF_NIH_OOF, "tiny"}
    assert layout.cohort_folder("nih-oof").model("tiny").is_relative_to(own_cohorts())


def test_what_cannot_be_kept_is_said_before_a_film_is_scored(
    cohort: Folder, tiny: Classifier, wording: Wording
) -> None:
    told: list[int] = []
    with full_disk(), pytest.raises(NoCohort) as caught:
        score_cohort(cohort, tiny, images_of(cohort), lambda done, of: told.append(done))
    wording(caught.value, "tiny")
    assert not told and not cohort.models()
