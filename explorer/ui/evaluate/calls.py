"""What the Evaluate tab's script asks: the leaderboard at once, its intervals when they are there, and a file of it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypedDict

from explorer.analysis.board_formats import board_in
from explorer.analysis.board_report import BoardReport, report_of
from explorer.analysis.leaderboard import leaderboard
from explorer.ui.evaluate.payload import BoardPayload, ChoicesPayload, board_payload, choices_payload
from explorer.ui.evaluate.subject import Subject, subject_of
from explorer.ui.explore.links import State, WrongLink
from explorer.ui.explore.services import Services
from explorer.ui.explore.slice_calls import state_in, value_in
from explorer.ui.refusals import RefusedPayload, refused
from models.refusal import Refusal

KINDS = {"csv": "text/csv", "markdown": "text/markdown", "latex": "application/x-tex"}
_ENDINGS = {"csv": "csv", "markdown": "md", "latex": "tex"}


class ComputingPayload(TypedDict):
    """The intervals are still being computed; asking keeps them coming."""

    stage: Literal["computing"]


class NoBoardPayload(RefusedPayload):
    """Why there is no leaderboard, and what can be chosen instead; null where there is no cohort."""

    choices: ChoicesPayload | None


class BoardFilePayload(TypedDict):
    """A file to save: its name, its media type, and its bytes in base 64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """What the script may ask, each with one argument: {state, ...}. A refusal says why."""

    def board(asked: object) -> BoardPayload | ComputingPayload | NoBoardPayload:
        state = state_in(asked)
        try:
            return _board(services, state, waiting=value_in(asked, "waiting") is True)
        except Refusal as refusal:
            return {**refused(refusal), "choices": _elsewhere(services, state)}

    def board_file(asked: object) -> BoardFilePayload | RefusedPayload:
        try:
            return _file(services, state_in(asked), value_in(asked, "kind"))
        except Refusal as refusal:
            return refused(refusal)

    return [board, board_file]


def _board(services: Services, state: State, *, waiting: bool) -> BoardPayload | ComputingPayload:
    """`waiting`: the points are on the page already."""
    subject = subject_of(services.store, state)
    report = _report(services, subject)
    if not report.board.resamples and waiting:
        return {"stage": "computing"}
    return board_payload(services.store, subject, report)


def _report(services: Services, subject: Subject) -> BoardReport:
    """With the intervals where these are there. Points come first: what cannot be compared is refused at once."""
    store, asked = services.store, (subject.chosen, subject.models)
    points = leaderboard(store, *asked, natural=subject.natural)
    board = services.intervals.board(*asked, natural=subject.natural) or points
    return report_of(store, board, subject.chosen, subject.reference, natural=subject.natural)


def _elsewhere(services: Services, state: State) -> ChoicesPayload | None:
    """What can be chosen where these models cannot be compared: the same cohort's models, or another cohort."""
    try:
        subject = subject_of(services.store, state)
        return choices_payload(services.store, replace(subject, complaints=()))
    except Refusal:
        return None


def _file(services: Services, state: State, kind: object) -> BoardFilePayload:
    if not isinstance(kind, str) or kind not in KINDS:
        raise WrongLink("There is no such file of the leaderboard", f"There are: {', '.join(KINDS)}.")
    subject = subject_of(services.store, state)
    text = board_in(kind, _report(services, subject))
    return {
        "stage": "export",
        "name": f"tailscope_evaluate_{subject.chosen.cohort}.{_ENDINGS[kind]}",
        "type": KINDS[kind],
        "data": b64encode(text.encode()).decode("ascii"),
    }
