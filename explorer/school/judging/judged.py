"""Judges an answer against its film's truth: the outcome of each finding, and whether the whole answer is right."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np

from explorer.core.finding_cover import covers
from explorer.core.findings import Outcome
from explorer.core.outcomes import CALLED_OUTCOMES, WRONG
from explorer.school.judging.answer import AnswerSide, LearnerAnswer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Mask, Truth, TruthBox

# A fingertip is wider than a point: a tap up to this share of the film's longer side from the edge counts as inside.
TAP_TOLERANCE = 0.015


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The result of an answer.

    `right` is None if the truth is unknown. `outcomes` cover findings with known labels, `sides` says whether the side
    of each found finding is right, `inside` whether a tap hits the finding's mask or box (None if there is neither).
    `credit` is the share of named findings that are right, 0 to 1; None for other kinds of questions.
    """

    right: bool | None
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    sides: Mapping[str, bool] = field(default_factory=dict)
    inside: bool | None = None
    credit: float | None = None


def grade_answer(question: FilmQuestion, answer: LearnerAnswer, truth: Truth, target: str = "") -> AnswerResult:
    """Judge `answer`, which belongs to this question; `target` is the finding that the film was chosen for.

    If findings have to be named and the target is present, an answer is right if it names the target and nothing that
    is absent; the film's other findings are optional.
    """
    if answer.findings is not None:
        return _judge_names(answer.findings, truth, target)
    if question.kind == "point":
        return _judge_point(question.finding or "", answer.point, truth)
    if answer.normal is not None:
        return _judge_normal(answer.normal, truth.normal)
    if answer.present is not None:
        outcome = _outcome(question.finding or "", answer.present, truth)
        return AnswerResult(_is_right(outcome), {} if outcome is None else {question.finding or "": outcome})
    return AnswerResult(None if truth.pair is None else answer.picked == truth.pair)


def _judge_names(named_sides: Mapping[str, AnswerSide], truth: Truth, target: str) -> AnswerResult:
    """Judge named findings; all others count as not named, and naming none means Normal.

    A narrower finding that is present implies the broader ones, and a broader word for a present finding is no false
    alarm.
    """
    named, present = set(named_sides) or {"Normal"}, set(truth.present)
    implied = named | {other for other in present if any(covers(finding, other) for finding in named & present)}
    broad = {word for word in named - present if any(covers(finding, word) for finding in present)}
    outcomes = {
        finding: outcome
        for finding in truth.labels
        if finding not in broad and (outcome := _outcome(finding, finding in implied, truth)) is not None
    }
    sides = {
        finding: named_sides[finding] == truth.sides[finding]
        for finding, outcome in outcomes.items()
        if outcome is Outcome.HIT and named_sides.get(finding) and truth.sides.get(finding, "none") != "none"
    }
    counted = {finding: each for finding, each in outcomes.items() if finding != "Normal"}
    if not counted:
        return AnswerResult(None, outcomes, sides)
    near = {finding for finding in present - implied if any(covers(finding, word) for word in named)}
    asked = [
        each
        for finding, each in counted.items()
        if target not in present or finding == target or each in CALLED_OUTCOMES
    ]
    right = all(_is_right(each) for each in asked) and all(sides.values())
    return AnswerResult(right, outcomes, sides, credit=_credit(counted, sides, near))


def _credit(counted: Mapping[str, Outcome], sides: Mapping[str, bool], near: AbstractSet[str]) -> float:
    """Return the share of present or named findings that are right; a wrong side or a broader word counts half."""
    scored = {finding: each for finding, each in counted.items() if each is not Outcome.CORRECT_REJECTION}
    halves = (
        (2 if sides.get(finding, True) else 1) if each is Outcome.HIT else int(finding in near)
        for finding, each in scored.items()
    )
    return sum(halves) / (2 * len(scored)) if scored else 1.0


def _judge_normal(said_normal: bool, true: bool | None) -> AnswerResult:
    if true is None:
        return AnswerResult(None)
    return AnswerResult(said_normal == true, {"Normal": _outcome_of(said_normal, present=true)})


def _judge_point(finding: str, point: tuple[float, float] | None, truth: Truth) -> AnswerResult:
    outcome = _outcome(finding, point is not None, truth)
    inside = None
    if point is not None and truth.labels.get(finding) == "present":
        inside = _inside(finding, point, truth)
    right = _is_right(outcome) if inside is None else inside
    return AnswerResult(right, {} if outcome is None else {finding: outcome}, inside=inside)


def _outcome(finding: str, called: bool, truth: Truth) -> Outcome | None:
    label = truth.labels.get(finding)
    return _outcome_of(called, present=label == "present") if label in ("present", "absent") else None


def _outcome_of(called: bool, *, present: bool) -> Outcome:
    if present:
        return Outcome.HIT if called else Outcome.MISS
    return Outcome.FALSE_ALARM if called else Outcome.CORRECT_REJECTION


def _is_right(outcome: Outcome | None) -> bool | None:
    return None if outcome is None else outcome not in WRONG


def _inside(finding: str, point: tuple[float, float], truth: Truth) -> bool | None:
    """Return whether the point is inside the finding's mask or boxes; None if it has neither."""
    mask = truth.masks.get(finding)
    boxes = [box for box in truth.boxes if box.finding == finding]
    if mask is None and not boxes:
        return None
    return (mask is not None and _in_mask(point, mask)) or any(_in_box(point, box) for box in boxes)


def _in_mask(point: tuple[float, float], mask: Mask) -> bool:
    height, width = mask.shape
    # Half a pixel's diagonal is added, because a pixel's area extends from its center to its corners.
    reach = TAP_TOLERANCE * max(mask.shape) + 0.5**0.5
    # Only the neighborhood is searched: searching a whole film would take longer than everything else.
    (top, down), (left, across) = _pixel_range(point[1] * height, reach), _pixel_range(point[0] * width, reach)
    rows, columns = np.nonzero(mask[top:down, left:across])
    distances = np.hypot(rows + top + 0.5 - point[1] * height, columns + left + 0.5 - point[0] * width)
    return bool((distances <= reach).any())


def _pixel_range(place: float, reach: float) -> tuple[int, int]:
    """Return the range of pixels that may be within reach."""
    return max(0, math.floor(place - reach) - 1), math.ceil(place + reach) + 1


def _in_box(point: tuple[float, float], box: TruthBox) -> bool:
    x, y = point
    return (
        box.x - TAP_TOLERANCE <= x <= box.x + box.width + TAP_TOLERANCE
        and box.y - TAP_TOLERANCE <= y <= box.y + box.height + TAP_TOLERANCE
    )
