"""A learner's answer to a question, and checks of what a device sent."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from explorer.core.finding_names import MAX_NAME_CHARS, finding_name
from explorer.school.playlists.playlist import FilmQuestion
from models.refusal import Refusal

AnswerSide = Literal["left", "right", "both", ""]  # the patient's side; empty: not stated
Certainty = Literal[1, 2, 3]  # guess, probable, certain
CERTAINTY_WORDS: Mapping[Certainty, str] = {1: "a guess", 2: "probable", 3: "certain"}
MAX_NAMED_FINDINGS = 12  # findings in one answer


class WrongAnswer(Refusal):
    """The input does not answer the question: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class LearnerAnswer:
    """One learner's answer; only the field for the question's kind is set.

    `findings` maps findings to sides; an empty mapping means that none are present. `point` is in fractions of the
    film's width and height, from the left and the top; None means "not there". `picked` is the index of a film in a
    pair, 0 or 1.
    """

    sure: Certainty
    findings: Mapping[str, AnswerSide] | None = None
    point: tuple[float, float] | None = None
    normal: bool | None = None
    present: bool | None = None
    picked: int | None = None


def read_answer(question: FilmQuestion, sent: object) -> LearnerAnswer:
    """Return a question's answer from the JSON that a learner's device sent. Raises WrongAnswer."""
    words = sent if isinstance(sent, dict) else {}
    sure = words.get("sure")
    if type(sure) is not int or sure not in get_args(Certainty):
        raise WrongAnswer("State how sure you are", "Choose a guess, probable or certain.")
    certainty = cast(Certainty, sure)
    if question.kind == "findings":
        return LearnerAnswer(certainty, findings=_findings(words.get("findings")))
    if question.kind == "point":
        return LearnerAnswer(certainty, point=_point(words.get("point")))
    if question.kind == "normal":
        return LearnerAnswer(certainty, normal=_flag(words.get("normal")))
    if question.kind == "present":
        return LearnerAnswer(certainty, present=_flag(words.get("present")))
    picked = words.get("picked")
    if type(picked) is not int or picked not in (0, 1):
        raise WrongAnswer("No film is chosen", "Choose one of the two films, then answer again.")
    return LearnerAnswer(certainty, picked=picked)


def answer_json(answer: LearnerAnswer) -> dict[str, object]:
    """Return the answer as JSON, for `read_answer` to read."""
    fields: dict[str, object] = {"sure": answer.sure}
    if answer.findings is not None:
        fields["findings"] = dict(answer.findings)
    for name in ("normal", "present", "picked"):
        if (value := getattr(answer, name)) is not None:
            fields[name] = value
    if answer.point is not None:
        fields["point"] = list(answer.point)
    return fields


def _flag(sent: object) -> bool:
    if not isinstance(sent, bool):
        raise WrongAnswer("The question is not answered yet", "Choose one of the two, then answer again.")
    return sent


def _findings(sent: object) -> dict[str, AnswerSide]:
    if not isinstance(sent, dict) or len(sent) > MAX_NAMED_FINDINGS:
        raise WrongAnswer(
            "These are not findings", f"Name up to {MAX_NAMED_FINDINGS} findings, or state that there are none."
        )
    named: dict[str, AnswerSide] = {}
    for name, side in sent.items():
        if side not in get_args(AnswerSide) or not isinstance(name, str) or len(name) > MAX_NAME_CHARS:
            raise WrongAnswer("A finding is not valid", "Choose findings from the list, and a side for each.")
        try:
            named[finding_name(name)] = side
        except ValueError as error:
            raise WrongAnswer("A finding has no name", "Choose findings from the list.") from error
    return named


def _point(sent: object) -> tuple[float, float] | None:
    if sent is None:
        return None
    if isinstance(sent, list) and len(sent) == 2 and all(_is_share(each) for each in sent):
        return float(sent[0]), float(sent[1])
    raise WrongAnswer("That is not a point on the film", "Tap the film where you see it.")


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1
