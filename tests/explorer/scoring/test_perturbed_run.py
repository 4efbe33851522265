"""A cohort's films scored after perturbations: each level apart, resumed, and the same as one film by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.robustness.perturbed_films import read_level
from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.manifest import read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.perturbed_scores import known_levels, perturbed_folder
from explorer.scoring.perturbed_run import PerturbedRun, score_perturbed
from explorer.scoring.run import score_cohort
from explorer.simulator.film_png import simulated_png
from explorer.simulator.perturbations.exposed_again import exposed_again
from explorer.simulator.perturbations.kind import NeedsPatient
from explorer.simulator.perturbations.registry import physical_levels
from models import load
from models.classifier.classifier import Classifier
from models.perturbations.film import Level, levels, perturbed, working_film
from models.perturbations.registry import PERTURBATIONS
from models.radiograph import read_radiograph
from tests.explorer.scoring.cohorts import scores_of, write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.model_builders import FINDINGS, write_model
from tests.support.small_phantom import write_phantom

FILMS = 20
# Dials of the test's own: those of the five strengths are tested where they are matched.
MIRRORED = Level(PERTURBATIONS["flip"], 0, 0.0)
TURNED = Level(PERTURBATIONS["rotation"], 3, 4.0)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Classifier:
    return load.classifier(str(write_model(tmp_path_factory.mktemp("tiny"), "resnet10t", name="tiny")), "cpu")


@pytest.fixture
def films(tmp_path: Path) -> Path:
    write_films(tmp_path / "films", FILMS)
    return tmp_path / "films"


@pytest.fixture
def cohort(tmp_path: Path, films: Path) -> Folder:
    return write_cohort(
        Folder(tmp_path / "cohorts" / "own"), [("north", path.name) for path in sorted(films.iterdir())], films
    )


def score(cohort: Folder, model: Classifier, *wanted: Level) -> PerturbedRun:
    return score_perturbed(cohort, model, Images(cohorts=lambda: [cohort]), wanted, part=16)


def test_a_level_has_the_score_of_the_changed_film(cohort: Folder, films: Path, tiny: Classifier) -> None:
    done = score(cohort, tiny, MIRRORED, TURNED)
    assert (done.levels, done.tried, done.failures) == (2, FILMS, {})
    folder = perturbed_folder(cohort, "tiny")
    assert known_levels(cohort, "tiny") == {name: folder for name in ("flip", "rotation-3", "unchanged")}
    film = read_radiograph((films / "0003.png").read_bytes())
    for level in (MIRRORED, TURNED):
        expected, _ = tiny.read(perturbed(working_film(film), level, film.sha256))
        found = read_level(folder, level.name, ["north 0003.png", "elsewhere"], list(FINDINGS))
        np.testing.assert_allclose(found[0], expected, atol=1e-5)
        assert np.isnan(found[1]).all()
    assert "rotation at 4" in read_model_manifest(folder.model("rotation-3")).preprocessing


def test_a_physical_level_images_the_simulated_patient_again(tmp_path: Path, tiny: Classifier) -> None:
    cohort = write_phantom(tmp_path / "cohorts")
    (other, dose, *_) = physical_levels(["projection", "dose"])
    done = score(cohort, tiny, other, dose)
    assert (done.levels, done.tried, done.failures) == (2, 8, {})
    cases = read_table(cohort.cases, ["case", "file"]).to_pydict()
    film = read_radiograph(simulated_png(cases["file"][1]))
    for level in (other, dose):
        expected, _ = tiny.read(exposed_again(film, level))
        found = read_level(perturbed_folder(cohort, "tiny"), level.name, [cases["case"][1]], list(FINDINGS))
        np.testing.assert_allclose(found[0], expected, atol=1e-5)


def test_real_patients_are_not_imaged_again(cohort: Folder, tiny: Classifier) -> None:
    with pytest.raises(NeedsPatient, match="own has films that are not simulated"):
        score(cohort, tiny, MIRRORED, *physical_levels(["breath"]))
    assert not known_levels(cohort, "tiny")


def test_a_small_film_unchanged_has_the_score_of_the_film(cohort: Folder, tiny: Classifier) -> None:
    score_cohort(cohort, tiny, Images(cohorts=lambda: [cohort]))
    plain = scores_of(cohort, "tiny")
    score(cohort, tiny, MIRRORED)
    cases = sorted({case for case, _ in plain})
    found = read_level(perturbed_folder(cohort, "tiny"), "unchanged", cases, list(FINDINGS))
    np.testing.assert_allclose(found, [[plain[case, finding] for finding in FINDINGS] for case in cases], atol=1e-5)
    assert cohort.models() == ("tiny",)  # levels are in no list of models


def test_a_run_goes_on_where_levels_and_films_are_missing(cohort: Folder, films: Path, tiny: Classifier) -> None:
    whole = (films / "0004.png").read_bytes()
    (films / "0004.png").write_bytes(whole[:100])
    first = score(cohort, tiny, MIRRORED)
    assert list(first.failures) == ["north 0004.png"]
    assert perturbed_folder(cohort, "tiny").failures("flip").exists()
    (films / "0004.png").write_bytes(whole)
    again = score(cohort, tiny, MIRRORED, TURNED)  # every film lacks the second level
    assert again.tried == FILMS and not again.failures
    assert not perturbed_folder(cohort, "tiny").failures("flip").exists()
    for level in ("flip", "rotation-3", "unchanged"):
        assert len(scores_of(perturbed_folder(cohort, "tiny"), level)) == FILMS * len(FINDINGS)
    assert score(cohort, tiny, MIRRORED, TURNED).tried == 0


def test_scores_at_another_dial_are_not_mixed(cohort: Folder, tiny: Classifier) -> None:
    score(cohort, tiny, TURNED)
    with pytest.raises(NoCohort, match="There are other scores"):
        score(cohort, tiny, Level(PERTURBATIONS["rotation"], 3, 5.0))


def test_both_scales_lie_side_by_side(cohort: Folder, tiny: Classifier) -> None:
    score(cohort, tiny, MIRRORED)
    score(cohort, tiny, *levels(["jpeg"], "medmnist-c")[:1])
    assert set(known_levels(cohort, "tiny")) == {"flip", "unchanged", "jpeg-c1", "unchanged-c"}


def test_a_cohort_that_is_being_replaced_is_not_scored(cohort: Folder, tiny: Classifier) -> None:
    with locked_folder(cohort.path, exclusive=True), pytest.raises(NoCohort, match="own is being replaced"):
        score(cohort, tiny, MIRRORED)
    assert not known_levels(cohort, "tiny")
