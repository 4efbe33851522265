"""Two films are of one study if their headers say so; the header's identifier is not kept."""

from __future__ import annotations

import re

import pytest

from models.films.amend import apply_remedy
from models.films.study_token import study_token
from models.radiograph import Radiograph, read_radiograph
from tests.support.dicom_films import ramp, read
from tests.support.film_files import image_bytes, synthetic_film

UID = "1.2.826.0.1.3680043.8.498.4711"


def film_of_study(uid: str | None, view: str = "PA") -> Radiograph:
    return read(ramp(0, 4095), StudyInstanceUID=uid, ViewPosition=view)


def test_films_of_one_study_have_one_token_and_others_another() -> None:
    frontal, lateral, other = film_of_study(UID), film_of_study(UID, "LL"), film_of_study(UID + "2")
    assert frontal.study == lateral.study == study_token(UID)
    assert frontal.study is not None and re.fullmatch("[0-9a-f]{16}", frontal.study)
    assert other.study not in (None, frontal.study)
    assert apply_remedy(frontal, "turn left").study == frontal.study


@pytest.mark.parametrize("uid", [None, "", "ANONYMOUS", "4711", "1.2.", "1." * 40 + "1"])
def test_what_is_no_identifier_joins_no_films(uid: str | None) -> None:
    assert study_token(uid or "") is None
    if uid is None or uid == "":
        assert film_of_study(uid).study is None


def test_a_picture_has_no_study() -> None:
    assert read_radiograph(image_bytes(synthetic_film(), "PNG")).study is None


def test_neither_the_identifier_nor_its_token_is_printed() -> None:
    film = film_of_study(UID)
    assert UID not in repr(film) and str(film.study) not in repr(film)
