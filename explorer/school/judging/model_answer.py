"""A model's answer to a film's question, which learners may see between a first and a second answer of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from explorer.school.playlists.playlist import ABOUT_ONE_FINDING
from explorer.school.preparing.prepared import ModelCall, PreparedFilm

MAX_SHOWN = 12  # flagged findings, as many as an answer may name


class ModelFindingPayload(TypedDict):
    """A finding with the model's score, and whether it is flagged."""

    finding: str
    score: float
    called: bool


class ModelAnswerPayload(TypedDict):
    """A model's answer: the finding that the question is about, or all that it flags, the highest score first."""

    model: str
    findings: list[ModelFindingPayload]


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's answer to a film's question; `calls` are all of its calls by finding, `shown` what learners see."""

    model: str
    calls: Mapping[str, ModelCall]
    shown: tuple[str, ...]


def model_answer(film: PreparedFilm) -> ModelAnswer | None:
    """Return the answer of the first model that the reveal shows and that has a threshold; None if none answers.

    A pair has none: a model scores each film by itself.
    """
    question = film.entry.question
    if question.kind == "pair":
        return None
    for model, calls in film.calls.items():
        decided = {finding: each for finding, each in calls.items() if each.called is not None}
        if question.kind in ABOUT_ONE_FINDING:
            if question.finding in decided:
                return ModelAnswer(model, decided, (question.finding,))
        elif decided:
            flagged = [finding for finding, each in decided.items() if each.called and finding != "Normal"]
            flagged.sort(key=lambda finding: -decided[finding].score)
            return ModelAnswer(model, decided, tuple(flagged[:MAX_SHOWN]))
    return None


def model_answer_payload(answer: ModelAnswer) -> ModelAnswerPayload:
    """Return what learners see of a model's answer: no label, no finding that the model does not flag or was asked."""
    return {
        "model": answer.model,
        "findings": [
            {"finding": name, "score": answer.calls[name].score, "called": bool(answer.calls[name].called)}
            for name in answer.shown
        ],
    }
