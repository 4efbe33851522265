"""A cohort with two films a study: they are read together in the lab, and get one score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.cohorts.images import Images
from explorer.cohorts.layout import HOME_VARIABLE, Folder
from explorer.cohorts.parquet_files import read_table
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.own_films import read_own_films
from explorer.workshop.lab.run import training_folder
from explorer.workshop.lab.trained import read_trained
from models.training.film_groups import film_groups
from models.training.inference.mean_of_views import mean_of_views
from models.training.lab_recipe import lab_recipe
from tests.explorer.cli.command import run
from tests.support.few_films import few_films
from tests.support.small_cohort import NAME, Film, write_small

STUDIES, SIZE = 80, 64
MADE = few_films(STUDIES, 2)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Each patient has a study of a frontal and a lateral film, but every eighth a frontal film only."""
    place = tmp_path_factory.mktemp("studies")
    (place / "films").mkdir()
    films = []
    for number in range(STUDIES):
        for view in ("lateral", "PA")[number % 8 == 0 :]:
            case = f"{view} {number:02}"
            Image.fromarray(np.rot90(MADE.pixels[number], view == "lateral")).save(place / "films" / f"{case}.png")
            labels = dict(zip(("Mass", "Nodule"), np.where(MADE.labels[number], "present", "absent"), strict=True))
            film = Film(case, labels, {"Mass": 0.5}, root="own", file=f"{case}.png", view=view)
            # Patients without a name are told apart by their study; study numbers begin anew at each center.
            film = replace(film, study=str(number // 2 + 1), center="North" if number % 2 else "South")
            films.append(film)
    write_small(place / "cohorts", films, {"Mass": 0.4})
    return place


@pytest.fixture(scope="module")
def found(place: Path) -> LabFilms:
    images = Images({"own": place / "films"}, cohorts=tuple)
    return read_own_films(Folder(place / "cohorts" / NAME), images, place / "run", SIZE).films


def test_films_of_a_study_are_in_one_part_and_in_one_group(found: LabFilms) -> None:
    parts = (found.training, found.validation, found.test)
    assert sum(len(part) for part in parts) == 2 * STUDIES - STUDIES // 8
    for part in parts:
        groups = film_groups(part, np.arange(len(part)), 4)
        for frontal, lateral in groups.members.tolist():
            named = part.image_ids[frontal].removeprefix("PA ")
            assert part.image_ids[frontal] == f"PA {named}"
            assert (lateral < 0) == (int(named) % 8 == 0)
            assert lateral < 0 or part.image_ids[lateral] == f"lateral {named}"


def test_shipped_recipes_take_the_largest_center_for_a(found: LabFilms) -> None:
    centers = found.training_centers
    north, south = (np.flatnonzero(centers == name) for name in ("North", "South"))
    assert len(north) > len(south)
    teacher = lab_recipe("center-a")
    assert np.array_equal(found.rows_of(teacher), north)
    assert np.array_equal(np.flatnonzero(found.at_centers(("B",), shipped=True)), south)
    with pytest.raises(ValueError, match="No training film is A"):
        found.rows_of(replace(teacher, folder=Path("mine")))
    with pytest.raises(ValueError, match="No training film is A"):
        replace(found, training_centers=np.full(len(centers), "North")).rows_of(teacher)


@pytest.mark.training
def test_the_first_system_of_2023_reads_studies(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(place))
    monkeypatch.setattr("models.training.lab_recipe.DEFAULT_EPOCHS", 1)
    options = ("--run", str(tmp_path), "--cohort", NAME, "--images", f"own={place / 'films'}", "--threads", "1")
    done = run("lab", "train", "2023-t1", *options)
    assert done.exit_code == 0 and "validation films (counted by study)" in done.stdout, done.stderr
    made = read_trained(training_folder(tmp_path, "2023-t1", 0))
    by_case = dict(zip(made.test.cases.tolist(), made.test.logits.tolist(), strict=True))
    laterals = [case for case in by_case if case.startswith("lateral")]
    for case in laterals:
        assert by_case[case] == by_case[case.replace("lateral", "PA")], "a study has one score"
    frontal = [tuple(row) for case, row in by_case.items() if case not in laterals]
    assert len(laterals) > 5 and len(set(frontal)) == len(frontal), "studies differ"
    scored = run("lab", "score", "2023-t1", *options)
    assert scored.exit_code == 0, scored.stderr
    rows = read_table(Folder(place / "cohorts" / NAME).predictions("own-2023-t1-0") / "part-00000.parquet")
    assert len(rows) == 2 * len(by_case)
    together = tmp_path / "together.toml"
    together.write_text('of = ["2023-t1", "bce"]\ninference = { name = "mean" }\n')
    refused = run("lab", "train", str(together), *options)
    assert refused.exit_code == 2 and "2023-t1 reads studies" in refused.stderr


@pytest.mark.training
def test_scores_of_films_become_those_of_their_studies(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(place))
    options = ("--run", str(tmp_path), "--cohort", NAME, "--images", f"own={place / 'films'}", "--threads", "1")
    (tmp_path / "short.toml").write_text('part_of = "joined"\n[[stages]]\nepochs = 1\nsize = 64\n')
    inference = 'of = ["short"]\ninference = { name = "turns" }\n'
    (tmp_path / "films.toml").write_text(inference)
    (tmp_path / "joined.toml").write_text(inference + 'study_scores = "mean of views"\n')
    for name in ("films", "joined"):
        done = run("lab", "train", str(tmp_path / f"{name}.toml"), *options)
        assert done.exit_code == 0, done.stderr
    films, joined = (read_trained(training_folder(tmp_path, name, 0)) for name in ("films", "joined"))
    assert films.sha256 != joined.sha256
    sides = np.array([case.startswith("lateral") for case in films.test.cases.tolist()])
    studies = np.array([case.rpartition(" ")[2] for case in films.test.cases.tolist()])
    expected = mean_of_views(films.test.logits, studies, sides)
    np.testing.assert_allclose(joined.test.logits, expected, rtol=1e-5, atol=1e-5)
    assert np.abs(joined.test.logits - films.test.logits).max() > 1e-4
