"""A class as a reader study: ratings from certainty, codes for names, and what not all of them answered."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.core.reader_study import imrmc_text, reader_study_csv
from explorer.metrics.multireader import multireader
from explorer.school.classroom.class_study import certainty_rating, class_study, studied_findings
from explorer.school.classroom.finding_study import StudiedFinding
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from explorer.tabular.reader_study import read_reader_study
from tests.explorer.school.classroom import studied_class as made
from tests.explorer.school.classroom.kept_classes import keep_class
from tests.explorer.school.made import prepared_film
from tests.support.wording import Wording


def test_certainty_orders_calls_from_surely_absent_to_surely_present() -> None:
    found = [certainty_rating(sure, called=called) for called in (False, True) for sure in (1, 2, 3)]
    assert found == [3, 2, 1, 4, 5, 6]


def test_a_class_becomes_a_study_with_the_models_score_and_no_name(tmp_path: Path) -> None:
    made.keep(tmp_path)
    found = class_study(made.NAME, made.FINDING, tmp_path)
    np.testing.assert_array_equal(found.study.ratings, made.ratings()[None])
    np.testing.assert_array_equal(found.study.truth, made.truths())
    np.testing.assert_allclose(found.study.models[made.MODEL], made.scores())
    assert found.study.readers == ("R1", "R2", "R3", "R4", "R5") and found.file_stem == "reader-study-mass"
    for text, name in ((imrmc_text(found.study, "class"), "a.imrmc"), (reader_study_csv(found.study), "a.csv")):
        assert "Zebedee" not in text
        (tmp_path / name).write_text(text, encoding="utf-8")
        again = read_reader_study(tmp_path / name)
        np.testing.assert_array_equal(again.ratings, found.study.ratings)
        assert again.cases == found.study.cases and list(again.models) == [made.MODEL]
    areas = multireader(found.study.truth, found.study.ratings).areas
    assert areas.shape == (1, made.LEARNERS) and (areas > 0.5).all()


def test_who_did_not_answer_everything_is_left_out_by_code(tmp_path: Path, wording: Wording) -> None:
    late = [(2, film) for film in range(20)]
    made.keep(tmp_path, [*late, (0, 7), (1, 7), (3, 7)])
    found = class_study(made.NAME, made.FINDING, tmp_path)
    assert found.study.readers == ("R1", "R2", "R4", "R5") and "phantom/A-000007" not in found.study.cases
    assert [(each.name, each.rated, each.wanted) for each in found.left_out.readers] == [("R3", 4, 24)]
    assert [(each.name, each.rated, each.wanted) for each in found.left_out.cases] == [("phantom/A-000007", 1, 4)]
    wording("\n".join(found.notes))


def test_other_questions_count_too_and_the_first_of_two_same_films(tmp_path: Path) -> None:
    truth = Truth({"Mass": "present", "Nodule": "absent"}, "")
    asked = FilmQuestion("findings"), FilmQuestion("present", "Mass"), FilmQuestion("pair", "Mass")
    films = [prepared_film(each, truth) for each in asked]
    answers = [
        LearnerFilmAnswer("ann", 0, LearnerAnswer(2, findings={"Mass": "left"})),
        LearnerFilmAnswer("ann", 1, LearnerAnswer(3, present=False)),
        LearnerFilmAnswer("ann", 2, LearnerAnswer(3, picked=1)),
    ]
    keep_class(tmp_path, made.NAME, films, answers)
    assert studied_findings(made.NAME, tmp_path) == (
        StudiedFinding("Mass", 1, 0, 1),
        StudiedFinding("Nodule", 0, 1, 1),
    )


def test_what_is_not_a_study_is_refused(tmp_path: Path, wording: Wording) -> None:
    made.keep(tmp_path, [(learner, film) for learner in (1, 2, 3, 4) for film in range(24)])
    for finding in (made.FINDING, "Hernia"):
        with pytest.raises(ClassRefusal) as caught:
            class_study(made.NAME, finding, tmp_path)
        wording(caught.value)


def test_learners_who_share_no_film_are_refused(tmp_path: Path, wording: Wording) -> None:
    halves = [(0, film) for film in range(12)] + [(1, film) for film in range(12, 24)]
    made.keep(tmp_path, [*halves, *((learner, film) for learner in (2, 3, 4) for film in range(24))])
    with pytest.raises(ClassRefusal) as caught:
        class_study(made.NAME, made.FINDING, tmp_path)
    wording(caught.value)


def test_a_class_of_an_earlier_version_has_no_model(tmp_path: Path) -> None:
    made.keep(tmp_path)
    with sqlite3.connect(tmp_path / f"{made.NAME}.sqlite") as database:
        database.execute("DROP TABLE model_calls")
        database.execute("DROP TABLE second_answers")
    found = class_study(made.NAME, made.FINDING, tmp_path)
    assert not found.study.models and found.notes[-1] == "No model's score is kept with this class."


def test_a_model_that_did_not_score_a_film_is_left_out(tmp_path: Path) -> None:
    films = made.films()
    films[4] = replace(films[4], calls={})
    keep_class(tmp_path, made.NAME, films, made.answers())
    found = class_study(made.NAME, made.FINDING, tmp_path)
    assert not found.study.models and len(found.study.cases) == made.FILMS
    assert found.notes[-1] == "Left out: the model net, which scored 23 of 24 films."
