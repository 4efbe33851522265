"""The table of a class that has ended, as the script gets it."""

from __future__ import annotations

import json

from explorer.core.findings import Outcome
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.result_table_payload import OWN_NAME, own_table_payload, result_table_payload
from explorer.school.judging.results import LearnerFilmAnswer, class_results
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from models.statistics import wilson
from tests.explorer.school.judging.test_results import random_class
from tests.explorer.school.made import prepared_film


def test_every_reader_has_a_rate_in_every_row_and_none_where_nothing_was_counted() -> None:
    ill, well = Truth({"Mass": "present"}, ""), Truth({"Mass": "absent"}, "")
    films = [
        prepared_film(FilmQuestion("present", "Mass"), truth, {"net": {"Mass": outcome}})
        for truth, outcome in ((ill, Outcome.HIT), (ill, Outcome.MISS), (well, Outcome.FALSE_ALARM))
    ]
    answers = [
        LearnerFilmAnswer("Zoe", 0, LearnerAnswer(2, present=True)),
        LearnerFilmAnswer("Zoe", 1, LearnerAnswer(2, present=True)),
    ]
    table = result_table_payload(class_results(films, answers))
    assert json.loads(json.dumps(table, allow_nan=False))["again"] == table["again"] == []
    assert [(each["name"], each["kind"]) for each in table["readers"]] == [
        ("the class", "class"),
        ("Zoe", "learner"),
        ("net", "model"),
    ]
    (mass,) = (row for row in table["rows"] if row["finding"])
    low, high = wilson(2, 2)
    both = {"hits": 2, "n": 2, "films": 2, "value": 1.0, "low": low, "high": high}
    assert mass["sensitivity"][:2] == [both, both] and mass["sensitivity"][2]["hits"] == 1
    nothing = {"hits": 0, "n": 0, "films": 0, "value": None, "low": None, "high": None}
    assert mass["specificity"] == [nothing] * 3  # nobody was asked the film without it
    assert [each["right"] for each in table["readers"]] == [both, both, None]


def test_a_learners_own_table_is_the_columns_of_that_learner_and_the_models() -> None:
    films, answers = random_class(3)
    mine = [each for each in answers if each.learner == "ann"]
    own, alone = own_table_payload(films, mine), result_table_payload(class_results(films, mine))
    assert [each["name"] for each in own["readers"]] == [OWN_NAME, "net", "words"]
    assert own["readers"][0]["right"] == alone["readers"][0]["right"]
    for row, same in zip(own["rows"], alone["rows"], strict=True):
        assert row["name"] == same["name"] and row["sensitivity"] == same["sensitivity"][1:]
        assert row["specificity"] == same["specificity"][1:]
    assert "ann" not in json.dumps(own)
    assert [each["kind"] for each in own_table_payload(films, [])["readers"]] == ["model", "model"]
