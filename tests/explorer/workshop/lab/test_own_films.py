"""A user's own films in the lab: patients stay in one part, unknown labels say nothing, what is left out is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE, Folder, NoCohort
from explorer.core.findings import FINDINGS
from explorer.workshop.lab.own_films import MIN_PART_POSITIVES, OwnFilms, patient_part, read_own_films
from models.training.network_at_size import shrink
from tests.explorer.cli.command import run
from tests.support.few_films import few_films
from tests.support.small_cohort import NAME, Film, write_small
from tests.support.wording import Wording, line_with

SIZE, FILMS = 64, 160
LABELS = few_films(FILMS, 3).labels
PIXELS = few_films(FILMS, 3).pixels


def label(film: int, finding: int) -> str:
    if film % 17 == 3:
        return "uncertain"
    return "present" if LABELS[film, finding] else "absent"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cohort of two films a patient at two centers; one film is missing, one is no film."""
    place = tmp_path_factory.mktemp("own")
    (place / "films").mkdir()
    for film in range(FILMS):
        Image.fromarray(PIXELS[film]).save(place / "films" / f"{film}.png")
    (place / "films" / "7.png").write_bytes(b"no film")
    (place / "films" / "8.png").unlink()
    films = [
        Film(
            f"case {film:03}",
            {"Mass": label(film, 0), "Nodule": label(film, 1), "COVID-19": label(film, 0)}
            | ({"Hernia": "present"} if film < 3 else {}),
            {"Mass": 0.5},
            patient=f"patient {film // 2}",
            center="North" if film < FILMS // 2 or film % 8 == 1 else "South",  # some are met at both
            others={"reader": {"Nodule": "absent"}} if film == 0 else {},
            root="own",
            file=f"{film}.png",
            sex="F",
            age=40 if film % 2 else None,
            view="AP",
        )
        for film in range(FILMS)
    ]
    write_small(place / "cohorts", films, {"Mass": 0.4})
    return place


def images(place: Path) -> Images:
    return Images({"own": place / "films"}, cohorts=tuple)


@pytest.fixture(scope="module")
def found(place: Path) -> OwnFilms:
    return read_own_films(Folder(place / "cohorts" / NAME), images(place), place / "run", SIZE)


def test_patients_stay_together_and_every_center_is_in_every_part(found: OwnFilms) -> None:
    films = found.films
    parts = {"training": films.training, "validation": films.validation, "test": films.test}
    patients = {name: set(part.patients.tolist()) for name, part in parts.items()}
    assert sum(map(len, patients.values())) == len(set.union(*patients.values())) == FILMS // 2
    assert sum(len(part) for part in parts.values()) == FILMS - 2
    for centers in (films.training_centers, films.validation_centers, films.test_centers):
        assert set(centers.tolist()) == {"North", "South"}
    assert len(films.training) > 0.45 * FILMS
    for name, part in parts.items():
        for patient in part.patients.tolist():
            assert patient_part(patient) == name


def test_labels_are_those_of_the_cohort_and_what_is_unknown_is_so(found: OwnFilms) -> None:
    assert found.films.findings == (*(finding for finding in FINDINGS if finding in ("Mass", "Nodule")), "COVID-19")
    for part in (found.films.training, found.films.validation, found.films.test):
        for case, labels in zip(part.image_ids, part.labels, strict=True):
            film = int(case[-3:])
            expected = [{"present": 1.0, "absent": 0.0}.get(label(film, finding), np.nan) for finding in (1, 0)]
            if film == 0 and label(0, 1) == "present":
                expected[0] = np.nan  # two sources differ
            by_name = dict(zip(found.films.findings, labels.tolist(), strict=True))
            assert [by_name["Nodule"], by_name["Mass"]] == pytest.approx(expected, nan_ok=True), case
            assert by_name["COVID-19"] == pytest.approx(by_name["Mass"], nan_ok=True), case
    assert found.rare == {"Hernia": 3}, "too few films to learn from"


def test_films_are_squares_and_whole(found: OwnFilms) -> None:
    training, test = found.films.training, found.films.test
    assert training.pixels.shape[1:] == (72, 72) and test.pixels.shape[1:] == (64, 64)
    film = int(training.image_ids[5][-3:])
    assert np.abs(training.pixels[5].astype(int) - PIXELS[film]).max() <= 1
    whole = shrink(PIXELS[[int(test.image_ids[0][-3:])]], SIZE)[0].astype(int)
    assert np.abs(test.pixels[0] - whole).max() <= 1, "films are tested whole, as they are trained"
    assert training.traits[:, 0].tolist() == [1.0] * len(training) and set(training.traits[:, 1].tolist()) == {0.0}


def test_films_that_cannot_be_read_are_named(found: OwnFilms) -> None:
    assert set(found.failures) == {"case 007", "case 008"} and found.failures["case 008"] == "The film is missing."


def test_films_are_read_once(place: Path, found: OwnFilms, wording: Wording) -> None:
    nowhere = Images({}, cohorts=tuple)
    again = read_own_films(Folder(place / "cohorts" / NAME), nowhere, place / "run", SIZE)
    assert again.failures == found.failures and np.array_equal(again.films.test.pixels, found.films.test.pixels)
    with pytest.raises(NoCohort) as caught:
        read_own_films(Folder(place / "cohorts" / NAME), nowhere, place / "elsewhere", SIZE)
    wording(caught.value, "small")


def test_a_cohort_with_too_few_of_every_finding_is_refused(tmp_path: Path, place: Path, wording: Wording) -> None:
    films = [Film(f"{n}", {"Mass": "present"}, {"Mass": 0.5}, root="own", file=f"{n}.png") for n in range(6)]
    folder = write_small(tmp_path, films, {"Mass": 0.4})
    with pytest.raises(NoCohort) as refused:
        read_own_films(folder, images(place), tmp_path / "run", SIZE)
    wording(refused.value, "learned")
    assert f"A finding needs {MIN_PART_POSITIVES['training']} films with it" in str(refused.value)


@pytest.mark.training
def test_a_recipe_is_trained_and_compared_on_own_films(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(place))
    monkeypatch.setattr("models.training.lab_recipe.DEFAULT_EPOCHS", 1)
    options = ("--run", str(tmp_path), "--cohort", NAME, "--images", f"own={place / 'films'}", "--threads", "1")
    done = run("lab", "train", "bce", *options)
    assert done.exit_code == 0, done.stderr
    wording(line_with(done.stdout, "008"))
    wording(line_with(done.stdout, "Hernia", "3"))
    scored = run("lab", "score", "bce", *options)
    assert scored.exit_code == 0, scored.stderr
    wording(line_with(scored.stdout, "own-bce-0"))
    assert set(Folder(place / "cohorts" / NAME).models()) == {"reader", "own-bce-0"}
    compared = run("lab", "compare", "--run", str(tmp_path))
    assert compared.exit_code == 0 and "| bce | 1 |" in compared.stdout
    masks = run("lab", "train", "masks", *options)
    assert masks.exit_code == 2
    wording(line_with(masks.stderr, "recipe masks"))
