"""An answer and the truth of a film in a few words, for a learner's sheet and for the table of a class."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.core.findings import BESIDE_NORMAL
from explorer.core.word_lists import and_list
from explorer.teaching.answer import Answer
from explorer.teaching.playlist import Question
from explorer.teaching.tally import NONE_OF_THEM, NOT_THERE
from explorer.teaching.truth import Truth

FILM_OF_PAIR = ("the first film", "the second film")


def answer_words(answer: Answer) -> str:
    """What was answered, without how sure."""
    if answer.findings is not None:
        return _sided(answer.findings) or NONE_OF_THEM
    if answer.normal is not None:
        return "normal" if answer.normal else "not normal"
    if answer.present is not None:
        return "present" if answer.present else "absent"
    if answer.picked is not None:
        return FILM_OF_PAIR[answer.picked]
    if answer.point is None:
        return NOT_THERE
    x, y = answer.point
    return f"{x:.0%} from the left, {y:.0%} from the top"


def truth_words(question: Question, truth: Truth) -> str:
    """What is true of what was asked; for after the reveal."""
    if question.kind == "pair":
        return "unknown" if truth.pair is None else FILM_OF_PAIR[truth.pair]
    if question.kind == "normal":
        return {True: "normal", False: _present(truth), None: "unknown"}[truth.normal]
    if question.kind == "findings":
        return _present(truth)
    finding = question.finding or ""
    label = truth.labels.get(finding, "unknown")
    side = truth.sides.get(finding, "none")
    return f"{label} ({side})" if label == "present" and side != "none" else label


def _present(truth: Truth) -> str:
    shown = [finding for finding in truth.present if finding not in BESIDE_NORMAL] or list(truth.present)
    return _sided({finding: truth.sides.get(finding, "none") for finding in shown}) or NONE_OF_THEM


def _sided(sides: Mapping[str, str]) -> str:
    return and_list([f"{finding} ({side})" if side not in ("", "none") else finding for finding, side in sides.items()])
