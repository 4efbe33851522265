"""Two open films as one study or two examinations, as JSON for Read's script."""

from __future__ import annotations

from typing import Literal, TypedDict

from explorer.reading.finding_list import FindingState
from explorer.reading.flag_verdict import FlagVerdict
from explorer.reading.study import FilmPart, StudyFilm, StudyReading, StudyRow, headers_agree, read_study
from models.cards.card import StudyRule


class StudyFindingPayload(TypedDict):
    """A finding's score of the study and of each film, null for one that does not count.

    `decided` is the place of the film with the highest score, null for a mean. `verdict` is that of a single film with
    this score, null if the finding is not flagged.
    """

    finding: str
    state: FindingState | None
    score: float
    verdict: FlagVerdict | None
    scores: list[float | None]
    decided: int | None


class StudyPayload(TypedDict):
    """Whether two films are one study, and the study's flagged and uncertain findings.

    `headers`: whether the headers name one study, null if one does not say. `model` read both films, null if different
    models did: such films are no study. `films`: what each contributes. `thresholds`: whether any is known.
    """

    stage: Literal["study"]
    one: bool
    headers: bool | None
    model: str | None
    rule: StudyRule
    films: list[FilmPart]
    findings: list[StudyFindingPayload]
    thresholds: bool


def study_payload(first: StudyFilm, second: StudyFilm, *, one: bool) -> StudyPayload:
    """Return the answer about two films, as `one` study or as two examinations. Raises UnusableModel."""
    card = first.reading.card
    read = read_study([first, second]) if one else StudyReading(card.study, (first.part, second.part), ())
    return {
        "stage": "study",
        "one": one,
        "headers": headers_agree(first.film, second.film),
        "model": card.name if card.name == second.reading.card.name else None,
        "rule": card.study,
        "films": list(read.parts),
        "findings": [_finding(each) for each in read.rows if each.row.state in ("above", "unsure")],
        "thresholds": bool(card.operating_points),
    }


def _finding(each: StudyRow) -> StudyFindingPayload:
    return {
        "finding": each.row.finding,
        "state": each.row.state,
        "score": each.row.score,
        "verdict": each.row.verdict,
        "scores": list(each.scores),
        "decided": each.decided,
    }
