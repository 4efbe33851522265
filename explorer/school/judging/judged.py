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
from explorer.school.judging.answer import Answer, AnswerSide
from explorer.school.playlists.playlist import Question
from explorer.school.playlists.truth import DrawnBox, Mask, Truth

# A fingertip is wider than a point: a tap counts up to this share of the film's longer side from the edge.
NEAR = 0.015


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of an answer.

    `right` is None if the truth is unknown. `outcomes` cover findings with known labels, `sides` whether the side of
    each found finding is right, `inside` whether a tap hits the finding's mask or box; None if there is neither.
    `credit` is the share of named findings that are right, 0 to 1; None for other questions.
    """

    right: bool | None
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    sides: Mapping[str, bool] = field(default_factory=dict)
    inside: bool | None = None
    credit: float | None = None


def judged(question: Question, answer: Answer, truth: Truth, target: str = "") -> Judged:
    """Judge `answer`, which belongs to this question; `target` is the finding that the film was chosen for.

    If findings are to be named and the target is present, an answer is right if it names the target and nothing that is
    absent; other findings of the film are optional.
    """
    if answer.findings is not None:
        return _named(answer.findings, truth, target)
    if question.kind == "point":
        return _pointed(question.finding or "", answer.point, truth)
    if answer.normal is not None:
        return _normal(answer.normal, truth.normal)
    if answer.present is not None:
        outcome = _outcome(question.finding or "", answer.present, truth)
        return Judged(_is_right(outcome), {} if outcome is None else {question.finding or "": outcome})
    return Judged(None if truth.pair is None else answer.picked == truth.pair)


def _named(said: Mapping[str, AnswerSide], truth: Truth, target: str) -> Judged:
    """Judge named findings; all others count as not named, and naming none means Normal.

    A narrower finding that is present implies the broader ones, and a broader word for a present one is no false alarm.
    """
    named, there = set(said) or {"Normal"}, set(truth.present)
    meant = named | {other for other in there if any(covers(finding, other) for finding in named & there)}
    broad = {word for word in named - there if any(covers(finding, word) for finding in there)}
    outcomes = {
        finding: outcome
        for finding in truth.labels
        if finding not in broad and (outcome := _outcome(finding, finding in meant, truth)) is not None
    }
    sides = {
        finding: said[finding] == truth.sides[finding]
        for finding, outcome in outcomes.items()
        if outcome is Outcome.HIT and said.get(finding) and truth.sides.get(finding, "none") != "none"
    }
    counted = {finding: each for finding, each in outcomes.items() if finding != "Normal"}
    if not counted:
        return Judged(None, outcomes, sides)
    near = {finding for finding in there - meant if any(covers(finding, word) for word in named)}
    asked = [
        each for finding, each in counted.items() if target not in there or finding == target or each in CALLED_OUTCOMES
    ]
    right = all(_is_right(each) for each in asked) and all(sides.values())
    return Judged(right, outcomes, sides, credit=_credit(counted, sides, near))


def _credit(counted: Mapping[str, Outcome], sides: Mapping[str, bool], near: AbstractSet[str]) -> float:
    """The share of present or named findings that are right; half for a wrong side or a broader word."""
    scored = {finding: each for finding, each in counted.items() if each is not Outcome.CORRECT_REJECTION}
    halves = (
        (2 if sides.get(finding, True) else 1) if each is Outcome.HIT else int(finding in near)
        for finding, each in scored.items()
    )
    return sum(halves) / (2 * len(scored)) if scored else 1.0


def _normal(said: bool, true: bool | None) -> Judged:
    if true is None:
        return Judged(None)
    return Judged(said == true, {"Normal": _called(said, there=true)})


def _pointed(finding: str, point: tuple[float, float] | None, truth: Truth) -> Judged:
    outcome = _outcome(finding, point is not None, truth)
    inside = None
    if point is not None and truth.labels.get(finding) == "present":
        inside = _inside(finding, point, truth)
    right = _is_right(outcome) if inside is None else inside
    return Judged(right, {} if outcome is None else {finding: outcome}, inside=inside)


def _outcome(finding: str, called: bool, truth: Truth) -> Outcome | None:
    label = truth.labels.get(finding)
    return _called(called, there=label == "present") if label in ("present", "absent") else None


def _called(called: bool, *, there: bool) -> Outcome:
    if there:
        return Outcome.HIT if called else Outcome.MISS
    return Outcome.FALSE_ALARM if called else Outcome.CORRECT_REJECTION


def _is_right(outcome: Outcome | None) -> bool | None:
    return None if outcome is None else outcome not in WRONG


def _inside(finding: str, point: tuple[float, float], truth: Truth) -> bool | None:
    """Whether the point is inside the finding's mask or boxes; None if it has neither."""
    mask = truth.masks.get(finding)
    boxes = [box for box in truth.boxes if box.finding == finding]
    if mask is None and not boxes:
        return None
    return (mask is not None and _in_mask(point, mask)) or any(_in_box(point, box) for box in boxes)


def _in_mask(point: tuple[float, float], mask: Mask) -> bool:
    height, width = mask.shape
    # Plus half a pixel's diagonal, because a pixel's area extends from its center to its corners.
    reach = NEAR * max(mask.shape) + 0.5**0.5
    # Only the neighborhood is searched: a whole film would take longer than everything else.
    (top, down), (left, across) = _around(point[1] * height, reach), _around(point[0] * width, reach)
    rows, columns = np.nonzero(mask[top:down, left:across])
    distances = np.hypot(rows + top + 0.5 - point[1] * height, columns + left + 0.5 - point[0] * width)
    return bool((distances <= reach).any())


def _around(place: float, reach: float) -> tuple[int, int]:
    """The range of pixels that can be in reach."""
    return max(0, math.floor(place - reach) - 1), math.ceil(place + reach) + 1


def _in_box(point: tuple[float, float], box: DrawnBox) -> bool:
    x, y = point
    return box.x - NEAR <= x <= box.x + box.width + NEAR and box.y - NEAR <= y <= box.y + box.height + NEAR
