"""The table of a class that has ended, as the script gets it."""

from __future__ import annotations

import json

from explorer.core.findings import Outcome
from explorer.teaching.answer import Answer
from explorer.teaching.playlist import Question
from explorer.teaching.results import Answered, class_results
from explorer.teaching.truth import Truth
from explorer.ui.teach.result_table_payload import result_table_payload
from models.statistics import wilson
from tests.explorer.teaching.made import prepared_film


def test_every_reader_has_a_rate_in_every_row_and_none_where_nothing_was_counted() -> None:
    ill, well = Truth({"Mass": "present"}, ""), Truth({"Mass": "absent"}, "")
    films = [
        prepared_film(Question("present", "Mass"), truth, {"net": {"Mass": outcome}})
        for truth, outcome in ((ill, Outcome.HIT), (ill, Outcome.MISS), (well, Outcome.FALSE_ALARM))
    ]
    answers = [Answered("Zoe", 0, Answer(2, present=True)), Answered("Zoe", 1, Answer(2, present=True))]
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
