from __future__ import annotations

from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.judged import grade_answer
from explorer.school.judging.tally import RightPayload, rights_payload, tally_answers
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from models.statistics import wilson

TRUTH = Truth({"Mass": "present", "Nodule": "absent"}, "the report")


def test_findings_are_counted_each_and_none_of_them_too() -> None:
    answers = [LearnerAnswer(1, findings={"Mass": "left", "Nodule": ""}), LearnerAnswer(3, findings={"Mass": ""})]
    answers.append(LearnerAnswer(3, findings={}))
    assert tally_answers(FilmQuestion("findings"), answers) == {
        "n": 3,
        "choices": [{"words": "Mass", "n": 2}, {"words": "Nodule", "n": 1}, {"words": "no finding", "n": 1}],
        "points": [],
        "sure": (1, 0, 2),
        "right": None,
    }


def test_right_answers_are_counted_after_the_reveal_only() -> None:
    answers = [LearnerAnswer(2, present=True), LearnerAnswer(2, present=True), LearnerAnswer(2, present=False)]
    question = FilmQuestion("present", "Mass")
    assert tally_answers(question, answers)["right"] is None

    def right(asked: FilmQuestion) -> RightPayload | None:
        rights = rights_payload([grade_answer(asked, answer, TRUTH).right for answer in answers])
        return tally_answers(asked, answers, rights)["right"]

    assert right(question) == {"hits": 2, "n": 3, "interval": wilson(2, 3)}
    unknown = right(FilmQuestion("present", "Hernia"))
    assert unknown == {"hits": 0, "n": 0, "interval": None}


def test_points_pairs_and_yes_or_no() -> None:
    points = tally_answers(FilmQuestion("point", "Mass"), [LearnerAnswer(1, point=(0.5, 0.25)), LearnerAnswer(1)])
    assert points["points"] == [(0.5, 0.25)]
    assert points["choices"] == [{"words": "not there", "n": 1}, {"words": "pointed", "n": 1}]
    pairs = tally_answers(
        FilmQuestion("pair", "Mass"),
        [LearnerAnswer(1, picked=1), LearnerAnswer(1, picked=1), LearnerAnswer(1, picked=0)],
    )
    assert pairs["choices"] == [{"words": "second film", "n": 2}, {"words": "first film", "n": 1}]
    normal = tally_answers(FilmQuestion("normal"), [LearnerAnswer(1, normal=False)])
    assert normal["choices"] == [{"words": "not normal", "n": 1}]
    assert tally_answers(FilmQuestion("normal"), [])["n"] == 0
