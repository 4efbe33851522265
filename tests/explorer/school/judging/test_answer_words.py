"""The truth of a film in a few words: what it was chosen for first, nothing left out silently."""

from __future__ import annotations

import re

from explorer.core.finding_cover import covered_by, covers
from explorer.phantom import SIDES
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.answer_words import answer_words, truth_words
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from explorer.ui.scripts import STATIC_FOLDER
from models.anatomy.places import PLACES, PlaceGrid
from tests.support.wording import Wording

MANY = ("Mass", "Nodule", "Hernia", "Goiter", "Fracture", "Kyphosis")
ILL = Truth(dict.fromkeys(MANY, "present"), "the report", {"Goiter": "left"})


def test_what_was_asked_for_comes_first_and_the_rest_is_counted(wording: Wording) -> None:
    said = truth_words(FilmQuestion("findings"), ILL, "Goiter", 3)
    wording(said, "Goiter", "Mass", "Nodule", "+3")
    assert truth_words(FilmQuestion("findings"), ILL).count(",") == 4, "without a limit all of them"


def test_a_film_that_is_not_normal_is_said_to_be_so() -> None:
    assert truth_words(FilmQuestion("normal"), Truth({"Mass": "present"}, "")) == "not normal: Mass"
    assert truth_words(FilmQuestion("normal"), Truth({"Normal": "present"}, "")) == "normal"


def test_a_hydropneumothorax_says_air_and_fluid() -> None:
    assert covers("Hydropneumothorax", "Pneumothorax") and covers("Hydropneumothorax", "Pleural Effusion")
    assert not covers("Pneumothorax", "Hydropneumothorax")
    assert covered_by(["Hydropneumothorax", "Mass"], []) == {"Hydropneumothorax": ["Pleural Effusion", "Pneumothorax"]}


def test_no_side_is_asked_where_there_is_none() -> None:
    script = (STATIC_FOLDER / "shared" / "sideless.js").read_text(encoding="utf-8")
    named = {finding for finding in SIDES if f'"{finding}"' in script}
    assert named == {finding for finding, sides in SIDES.items() if not sides} | {"Scoliosis"}


def test_a_point_is_told_by_its_place_where_the_anatomy_is_known() -> None:
    """A grid of 40 rows of 40 cells; "3" is the right base."""
    answer = LearnerAnswer(1, point=(0.33, 0.72))
    assert answer_words(answer) == "33 % from the left, 72 % from the top"
    rows = [["0"] * 40 for _ in range(40)]
    rows[28][13] = "3"
    assert answer_words(answer, PlaceGrid(tuple("".join(row) for row in rows))) == "right base"


def test_the_page_knows_the_same_places() -> None:
    script = (STATIC_FOLDER / "shared" / "places.js").read_text(encoding="utf-8")
    assert tuple(re.findall(r'^  "(.+)",$', script, re.MULTILINE)) == PLACES
