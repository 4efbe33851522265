"""A film in a notebook: picture, masks, scores and labels, and how it shows itself."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer import Cohort
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.notebook.film import Film
from explorer.simulator.address import parse_film_address
from models.refusal import Refusal
from tests.support import small_cohort
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import write_small


@pytest.fixture(scope="module")
def film() -> Film:
    cohort = Cohort("phantom")
    return cohort.film(cohort.misses(finding="Pneumothorax")["case"][0])


@pytest.fixture
def own(tmp_path: Path) -> Film:
    name = "<img src=x onerror=alert(1)>"
    there = small_cohort.Film(name, {"Mass": "present"}, {"Mass": 0.1}, center="<script>", root="there", file="a.png")
    folder = tmp_path / "films"
    folder.mkdir()
    Image.fromarray(np.arange(64 * 48, dtype=np.uint8).reshape(64, 48)).save(folder / "a.png")
    write_small(tmp_path / "cohorts", [there], {"Mass": 0.5})
    return Cohort(small_cohort.NAME, home=tmp_path, images={"there": folder}).film(name)


def test_a_simulated_film_has_its_picture_and_exact_masks(film: Film) -> None:
    assert film.pixels.shape == (512, 512) and film.pixels.dtype == np.float32
    assert 0 <= film.pixels.min() < film.pixels.max() <= 1
    assert set(film.masks) >= {"Pneumothorax"}
    assert all(mask.shape == film.pixels.shape and mask.dtype == bool for mask in film.masks.values())
    assert film.masks["Pneumothorax"].any() and film.radiograph.simulated


def test_scores_and_labels_are_those_of_the_store(film: Film) -> None:
    store = loaded_store()
    case = store.case("phantom", film.case)
    assert case is not None and parse_film_address(case.file or "")
    said = {(each.model, each.finding): each for each in case.scores}
    assert len(film.scores) == len(said) and film.scores["model"][0] == "phantom"
    assert film.scores["outcome"][0] in ("miss", "false alarm")
    for row in film.scores.itertuples():
        each = said[row.model, row.finding]
        assert (row.score, row.label) == (each.score, each.label)
    assert set(film.scores["unit"]) == {"score", "margin"}
    assert len(film.labels) == len(case.labels) and set(film.labels["label"]) <= {"present", "absent"}
    assert film.facts["id"] == case.id and film.facts["present"] == list(case.present)


def test_the_id_of_the_page_finds_the_film_too(film: Film) -> None:
    assert Cohort("phantom").film(str(film.facts["id"])).case == film.case


def test_it_shows_itself_in_jupyter_and_in_a_terminal(film: Film) -> None:
    shown, png = film._repr_html_(), film._repr_png_()
    assert png is not None
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.size == (512, 512) and picture.mode == "L"
        assert np.abs(np.asarray(picture) / 255 - film.pixels).max() <= 0.5 / 255 + 1e-6
    assert "SIMULATED" in shown and NOT_FOR_MEDICAL_USE in shown and "data:image/png;base64," in shown
    assert "Pneumothorax" in shown
    assert repr(film).splitlines()[0] == f"{film.case} of phantom, SIMULATED film" and NOT_FOR_MEDICAL_USE in repr(film)


def test_names_are_escaped_and_a_real_film_is_called_real(own: Film) -> None:
    shown = own._repr_html_()
    assert "<script>" not in shown and "<img src=x" not in shown and "&lt;script&gt;" in shown
    assert "real film" in shown and own.pixels.shape == (64, 48) and own.masks == {}


def test_a_film_that_is_not_here_says_how_to_name_its_folder() -> None:
    cohort = Cohort("nih-oof")
    film = cohort.film(cohort.films["case"][0])
    assert film._repr_png_() is None and "not found" in film._repr_html_()
    with pytest.raises(Refusal, match=r"Cohort\('nih-oof', images=\{'nih': 'DIR'\}\)"):
        _ = film.pixels
