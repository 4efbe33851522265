from __future__ import annotations

from explorer.school.judging.answer import Answer
from explorer.school.judging.judged import judged
from explorer.school.judging.tally import RightPayload, rights_payload, tally
from explorer.school.playlists.playlist import Question
from explorer.school.playlists.truth import Truth
from models.statistics import wilson

TRUTH = Truth({"Mass": "present", "Nodule": "absent"}, "the report")


def test_findings_are_counted_each_and_none_of_them_too() -> None:
    answers = [Answer(1, findings={"Mass": "left", "Nodule": ""}), Answer(3, findings={"Mass": ""})]
    answers.append(Answer(3, findings={}))
    assert tally(Question("findings"), answers) == {
        "n": 3,
        "choices": [{"words": "Mass", "n": 2}, {"words": "Nodule", "n": 1}, {"words": "no finding", "n": 1}],
        "points": [],
        "sure": (1, 0, 2),
        "right": None,
    }


def test_right_answers_are_counted_after_the_reveal_only() -> None:
    answers = [Answer(2, present=True), Answer(2, present=True), Answer(2, present=False)]
    question = Question("present", "Mass")
    assert tally(question, answers)["right"] is None

    def right(asked: Question) -> RightPayload | None:
        rights = rights_payload([judged(asked, answer, TRUTH).right for answer in answers])
        return tally(asked, answers, rights)["right"]

    assert right(question) == {"hits": 2, "n": 3, "interval": wilson(2, 3)}
    unknown = right(Question("present", "Hernia"))
    assert unknown == {"hits": 0, "n": 0, "interval": None}


def test_points_pairs_and_yes_or_no() -> None:
    points = tally(Question("point", "Mass"), [Answer(1, point=(0.5, 0.25)), Answer(1)])
    assert points["points"] == [(0.5, 0.25)]
    assert points["choices"] == [{"words": "not there", "n": 1}, {"words": "pointed", "n": 1}]
    pairs = tally(Question("pair", "Mass"), [Answer(1, picked=1), Answer(1, picked=1), Answer(1, picked=0)])
    assert pairs["choices"] == [{"words": "second film", "n": 2}, {"words": "first film", "n": 1}]
    normal = tally(Question("normal"), [Answer(1, normal=False)])
    assert normal["choices"] == [{"words": "not normal", "n": 1}]
    assert tally(Question("normal"), [])["n"] == 0
