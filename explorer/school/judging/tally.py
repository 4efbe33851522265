"""Counts a class's answers to one film, anonymously."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict, get_args

from explorer.school.judging.answer import Certainty, LearnerAnswer
from explorer.school.playlists.playlist import FilmQuestion
from models.statistics import wilson

NO_FINDING, NOT_THERE = "no finding", "not there"


class AnswerChoicePayload(TypedDict):
    """A choice and how many learners made it."""

    words: str
    n: int


class RightPayload(TypedDict):
    """How many answers are right, with the 95 % Wilson interval; null if there are none."""

    hits: int
    n: int
    interval: tuple[float, float] | None


class TallyPayload(TypedDict):
    """The answers to a film.

    `n` learners answered; `choices` are sorted by frequency; `points` are fractions of the film's sides; `sure` counts
    guesses, probable answers and certain answers. `right` is null before the reveal.
    """

    n: int
    choices: list[AnswerChoicePayload]
    points: list[tuple[float, float]]
    sure: tuple[int, int, int]
    right: RightPayload | None


def tally_answers(
    question: FilmQuestion, answers: Sequence[LearnerAnswer], right: RightPayload | None = None
) -> TallyPayload:
    """Count the answers; pass `right` only after the reveal."""
    counted = Counter(words for answer in answers for words in _choices(question, answer))
    sure = Counter(answer.sure for answer in answers)
    guessed, probable, certain = (sure[each] for each in get_args(Certainty))
    return {
        "n": len(answers),
        "choices": [
            {"words": words, "n": n} for words, n in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        ],
        "points": sorted(answer.point for answer in answers if answer.point is not None),
        "sure": (guessed, probable, certain),
        "right": right,
    }


def rights_payload(rights: Sequence[bool | None]) -> RightPayload:
    """Return how many of the answers that can be judged are right; None marks an answer that cannot."""
    known = [each for each in rights if each is not None]
    return right_payload(sum(known), len(known))


def right_payload(hits: int, n: int) -> RightPayload:
    """Return a number of right answers with its interval."""
    return {"hits": hits, "n": n, "interval": wilson(hits, n) if n else None}


def _choices(question: FilmQuestion, answer: LearnerAnswer) -> list[str]:
    if answer.findings is not None:
        return list(answer.findings) or [NO_FINDING]
    if answer.normal is not None:
        return ["normal" if answer.normal else "not normal"]
    if answer.present is not None:
        return ["present" if answer.present else "absent"]
    if answer.picked is not None:
        return [("first film", "second film")[answer.picked]]
    return ["pointed" if answer.point is not None else NOT_THERE]
