from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.school.judging.answer import MAX_NAMED_FINDINGS, LearnerAnswer, WrongAnswer, answer_json, read_answer
from explorer.school.playlists.playlist import QUESTION_KINDS, FilmQuestion

SIDES = st.sampled_from(["left", "right", "both", ""])
SHARES = st.floats(0, 1)
ANSWERS = {
    "findings": st.builds(
        LearnerAnswer,
        st.sampled_from([1, 2, 3]),
        findings=st.dictionaries(st.sampled_from(["Mass", "Lung Cavity", "ILD"]), SIDES),
    ),
    "point": st.builds(LearnerAnswer, st.sampled_from([1, 2, 3]), point=st.none() | st.tuples(SHARES, SHARES)),
    "normal": st.builds(LearnerAnswer, st.sampled_from([1, 2, 3]), normal=st.booleans()),
    "present": st.builds(LearnerAnswer, st.sampled_from([1, 2, 3]), present=st.booleans()),
    "pair": st.builds(LearnerAnswer, st.sampled_from([1, 2, 3]), picked=st.sampled_from([0, 1])),
}
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(QUESTION_KINDS).flatmap(lambda kind: st.tuples(st.just(kind), ANSWERS[kind])))
def test_an_answer_is_read_as_it_was_sent(made: tuple[str, LearnerAnswer]) -> None:
    kind, answer = made
    question = FilmQuestion(kind, "Mass")  # type: ignore[arg-type]
    assert read_answer(question, json.loads(json.dumps(answer_json(answer)))) == answer


@given(
    st.sampled_from(QUESTION_KINDS),
    st.fixed_dictionaries(
        {},
        optional={
            "sure": st.sampled_from([1, 2, 3]) | ODD,
            "findings": ODD,
            "point": ODD,
            "normal": ODD,
            "present": ODD,
            "picked": ODD,
        },
    )
    | ODD,
)
def test_whatever_is_sent_is_an_answer_or_refused(kind: str, sent: object) -> None:
    question = FilmQuestion(kind, "Mass")  # type: ignore[arg-type]
    try:
        answer = read_answer(question, sent)
    except WrongAnswer as refusal:
        assert refusal.title and refusal.detail.endswith(".")
    else:
        assert read_answer(question, answer_json(answer)) == answer


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("present", {"present": True}),
        ("present", {"present": 1, "sure": 2}),
        ("present", {"present": True, "sure": True}),
        ("present", {"present": True, "sure": 4}),
        ("normal", {"sure": 1}),
        ("pair", {"picked": 2, "sure": 1}),
        ("point", {"point": [0.2, 1.5], "sure": 1}),
        ("point", {"point": [0.2, float("nan")], "sure": 1}),
        ("findings", {"findings": {"Mass": "up"}, "sure": 1}),
        ("findings", {"findings": {"\u200b": "left"}, "sure": 1}),
        ("findings", {"findings": {f"finding {n}": "" for n in range(MAX_NAMED_FINDINGS + 1)}, "sure": 1}),
    ],
)
def test_what_is_no_answer_is_refused(kind: str, sent: object) -> None:
    with pytest.raises(WrongAnswer):
        read_answer(FilmQuestion(kind, "Mass"), sent)  # type: ignore[arg-type]


def test_not_there_is_an_answer_to_where() -> None:
    assert read_answer(FilmQuestion("point", "Mass"), {"sure": 3, "point": None}) == LearnerAnswer(3)
