from __future__ import annotations

import numpy as np
import pytest

from explorer.core.findings import Outcome
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.judged import TAP_TOLERANCE, AnswerResult, grade_answer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth, TruthBox

LABELS = {"Mass": "present", "Nodule": "absent", "Hernia": "uncertain", "Pneumothorax": "present"}
ILL = Truth(LABELS, "the report", {"Mass": "left", "Pneumothorax": "both", "Cardiomegaly": "none"})  # type: ignore[arg-type]
WELL = Truth({"Normal": "present", "Mass": "absent", "Support Devices": "present"}, "the report")
FINDINGS = FilmQuestion("findings")
HIT, MISS, ALARM, REST = Outcome.HIT, Outcome.MISS, Outcome.FALSE_ALARM, Outcome.CORRECT_REJECTION


def named(**findings: str) -> LearnerAnswer:
    return LearnerAnswer(2, findings=findings)  # type: ignore[arg-type]


def test_each_named_and_unnamed_finding_has_its_outcome() -> None:
    assert grade_answer(FINDINGS, named(Mass="left", Nodule="", Hernia="", Scoliosis=""), ILL) == AnswerResult(
        False, {"Mass": HIT, "Nodule": ALARM, "Pneumothorax": MISS}, {"Mass": True}, credit=1 / 3
    )


WET = {"Hydropneumothorax": "present", "Pneumothorax": "present", "Pleural Effusion": "present", "Mass": "absent"}
BURST = Truth(WET, "the report", {"Hydropneumothorax": "left"})  # type: ignore[arg-type]


def test_a_narrower_finding_says_the_broader_ones_too() -> None:
    found = grade_answer(FINDINGS, named(Hydropneumothorax="left"), BURST)
    assert (found.right, found.credit) == (True, 1.0)
    assert [name for name, outcome in found.outcomes.items() if outcome is HIT] == [*WET][:3]


def test_a_broader_word_is_no_false_alarm_and_half_of_what_is_there() -> None:
    truth = Truth({"Hydropneumothorax": "present", "Pneumothorax": "absent"}, "the report")
    found = grade_answer(FINDINGS, named(Pneumothorax=""), truth)
    assert (found.right, found.outcomes, found.credit) == (False, {"Hydropneumothorax": MISS}, 0.5)
    assert grade_answer(FINDINGS, named(Mass=""), truth).credit == 0.0


def test_what_the_film_was_chosen_for_decides_and_a_false_call_spoils_it() -> None:
    rest = {"Mass": "present", "Nodule": "absent", "Aortic Elongation": "present", "Hernia": "present"}
    truth = Truth(rest, "the report", {"Mass": "left"})  # type: ignore[arg-type]
    alone = grade_answer(FINDINGS, named(Mass="left"), truth, "Mass")
    assert (alone.right, alone.credit) == (True, pytest.approx(1 / 3))
    assert grade_answer(FINDINGS, named(Mass="left"), truth).right is False, "without a target all of it counts"
    assert grade_answer(FINDINGS, named(Mass="right"), truth, "Mass").right is False
    assert grade_answer(FINDINGS, named(Mass="", Nodule=""), truth, "Mass").right is False
    assert grade_answer(FINDINGS, named(Hernia=""), truth, "Mass").right is False
    assert grade_answer(FINDINGS, named(Hernia=""), truth, "Nodule").right is False, "a target must be there"


@pytest.mark.parametrize(
    ("answer", "right", "sides"),
    [
        (named(Mass="left", Pneumothorax="both"), True, {"Mass": True, "Pneumothorax": True}),
        (named(Mass="", Pneumothorax=""), True, {}),  # a side that is not said is not wrong
        (named(Mass="right", Pneumothorax=""), False, {"Mass": False}),
        (named(Mass="left"), False, {"Mass": True}),
        (named(), False, {}),
    ],
)
def test_right_is_every_finding_and_side_that_was_said(
    answer: LearnerAnswer, right: bool, sides: dict[str, bool]
) -> None:
    found = grade_answer(FINDINGS, answer, ILL)
    assert (found.right, found.sides) == (right, sides)


def test_to_name_none_is_to_say_normal() -> None:
    none = grade_answer(FINDINGS, named(), WELL)
    assert none.outcomes == {"Normal": HIT, "Mass": REST, "Support Devices": MISS}


def test_without_any_known_label_nothing_is_judged() -> None:
    assert grade_answer(FINDINGS, named(Mass=""), Truth({"Mass": "unknown"}, "")) == AnswerResult(None)
    for question, answer in (
        (FilmQuestion("normal"), LearnerAnswer(1, normal=True)),
        (FilmQuestion("pair"), LearnerAnswer(1, picked=0)),
    ):
        assert grade_answer(question, answer, Truth({}, "")) == AnswerResult(None)


@pytest.mark.parametrize(
    ("truth", "normal"),
    [
        (WELL, True),
        (ILL, False),
        (Truth({"Mass": "absent", "Nodule": "absent"}, ""), True),
        (Truth({"Mass": "absent", "Nodule": "uncertain"}, ""), None),
        (Truth({"Support Devices": "present"}, ""), None),
        (Truth({}, ""), None),
    ],
)
def test_a_film_is_normal_where_nothing_but_devices_is_there(truth: Truth, normal: bool | None) -> None:
    assert truth.normal is normal
    found = grade_answer(FilmQuestion("normal"), LearnerAnswer(1, normal=True), truth)
    assert found.right is normal
    assert found.outcomes == ({} if normal is None else {"Normal": HIT if normal else ALARM})


@pytest.mark.parametrize(
    ("finding", "present", "outcome"),
    [
        ("Mass", True, HIT),
        ("Mass", False, MISS),
        ("Nodule", True, ALARM),
        ("Nodule", False, REST),
        ("Hernia", True, None),
    ],
)
def test_present_or_absent(finding: str, present: bool, outcome: Outcome | None) -> None:
    found = grade_answer(FilmQuestion("present", finding), LearnerAnswer(1, present=present), ILL)
    assert found.outcomes == ({} if outcome is None else {finding: outcome})
    assert found.right == (None if outcome is None else outcome in (HIT, REST))


def drawn(*, boxes: bool) -> Truth:
    mask = np.zeros((100, 200), np.bool_)
    mask[20:40, 50:100] = True  # y .20 to .40, x .25 to .50
    box = TruthBox("Mass", 0.25, 0.2, 0.25, 0.2, "a reader")
    labels = {"Mass": "present", "Nodule": "absent"}
    return Truth(labels, "", masks={} if boxes else {"Mass": mask}, boxes=(box,) if boxes else ())  # type: ignore[arg-type]


@pytest.mark.parametrize("boxes", [False, True])
@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((0.3, 0.3), True),
        ((0.25, 0.2), True),
        ((0.5, 0.4), True),
        ((0.5 + TAP_TOLERANCE * 0.9, 0.3), True),
        ((0.5 + TAP_TOLERANCE * 1.6, 0.3), False),
        ((0.3, 0.9), False),
        (None, None),
    ],
)
def test_a_tap_is_judged_by_mask_or_box(boxes: bool, point: tuple[float, float] | None, inside: bool | None) -> None:
    found = grade_answer(FilmQuestion("point", "Mass"), LearnerAnswer(1, point=point), drawn(boxes=boxes))
    assert found.inside is inside
    assert found.right is bool(inside)
    assert found.outcomes == {"Mass": MISS if point is None else HIT}


def test_a_tap_is_judged_as_by_its_distance_to_every_pixel() -> None:
    draw = np.random.default_rng(4)
    inside = 0
    for _ in range(300):
        mask = draw.random(draw.integers(1, 80, 2)) < draw.choice((0.0, 0.01, 0.2))
        point = tuple(draw.choice((0.0, 1.0, draw.random()), 2).tolist())
        height, width = mask.shape
        reach = TAP_TOLERANCE * max(height, width) + 0.5**0.5
        middles = [
            (row + 0.5 - point[1] * height, column + 0.5 - point[0] * width) for row, column in np.argwhere(mask)
        ]
        near = any(down**2 + across**2 <= reach**2 for down, across in middles)
        truth = Truth({"Mass": "present"}, "", masks={"Mass": mask})
        assert grade_answer(FilmQuestion("point", "Mass"), LearnerAnswer(2, point=point), truth).inside is near
        inside += near
    assert 20 < inside < 280


def test_a_tap_on_what_is_not_there_or_was_never_drawn() -> None:
    absent = grade_answer(FilmQuestion("point", "Nodule"), LearnerAnswer(1, point=(0.3, 0.3)), drawn(boxes=True))
    assert absent == AnswerResult(False, {"Nodule": ALARM})
    assert grade_answer(FilmQuestion("point", "Nodule"), LearnerAnswer(1), drawn(boxes=True)) == AnswerResult(
        True, {"Nodule": REST}
    )
    assert grade_answer(FilmQuestion("point", "Mass"), LearnerAnswer(1, point=(0.3, 0.3)), ILL) == AnswerResult(
        True, {"Mass": HIT}
    )


def test_one_of_a_pair() -> None:
    pair = Truth({"Mass": "present"}, "", pair=1)
    assert grade_answer(FilmQuestion("pair", "Mass"), LearnerAnswer(1, picked=1), pair) == AnswerResult(True)
    assert grade_answer(FilmQuestion("pair", "Mass"), LearnerAnswer(1, picked=0), pair) == AnswerResult(False)
