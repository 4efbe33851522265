"""A study's scores as JSON for exports: no identifier of the study or of its other film."""

from __future__ import annotations

from typing import TypedDict

from explorer.reading.finding_list import FindingState
from explorer.reading.study import StudyReading
from models.cards.card import StudyRule


class StudyScoreAnswer(TypedDict):
    """A finding's score of the study and its state at the threshold for single films."""

    finding: str
    score: float
    state: FindingState | None


class StudyScoresAnswer(TypedDict):
    """The scores of a study of `films`, made by `rule` from those of `films_read` films."""

    rule: StudyRule
    films: int
    films_read: int
    findings: list[StudyScoreAnswer]


def study_scores(read: StudyReading) -> StudyScoresAnswer:
    """Return the scores of a study; no findings if no film counts."""
    return {
        "rule": read.rule,
        "films": len(read.parts),
        "films_read": read.films_read,
        "findings": [
            {"finding": each.row.finding, "score": each.row.score, "state": each.row.state} for each in read.rows
        ],
    }
