"""Calls of the Evaluate tab's script: the leaderboard or a panel at once, intervals once computed, and files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypedDict

from explorer.analysis.leaderboard.picked_films import picked_notes
from explorer.analysis.leaderboard.table import format_board
from explorer.core.result_table import table_in
from explorer.ui.evaluate.filter_choices import picked_sentences
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.evaluate.panels.finding_asked import FINDING_WORD
from explorer.ui.evaluate.panels.finding_point import point_call
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.payload import NO_CHOICES, ChoicesPayload, LeaderboardPayload, board_payload, evaluate_choices
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.links import LinkState, WrongLink
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal

MEDIA_TYPES = {"csv": "text/csv", "markdown": "text/markdown", "latex": "application/x-tex"}
_ENDINGS = {"csv": "csv", "markdown": "md", "latex": "tex"}


class ComputingPayload(TypedDict):
    """The intervals are still being computed; calling again continues the work."""

    stage: Literal["computing"]
    left: float | None


class NoBoardPayload(RefusedPayload):
    """Why there is no leaderboard, and what can be chosen instead; null without a cohort."""

    choices: ChoicesPayload | None


class PanelPayload(ChoicesPayload):
    """A panel; its script draws `content`. `computing`: intervals are being computed, `done` of them are ready."""

    stage: Literal["panel"]
    panel: str
    title: str
    notes: list[str]
    complaints: list[str]
    simulated: bool
    computing: bool
    done: int
    content: Mapping[str, object]


class BoardFilePayload(TypedDict):
    """A file to save: its name, its media type, and its bytes in base 64."""

    stage: Literal["export"]
    name: str
    type: str
    data: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """Return the functions that the script may call, each with one argument {state, ...}."""

    def board(request: object) -> LeaderboardPayload | ComputingPayload | NoBoardPayload:
        state = state_in(request)
        try:
            return _board(services, state, waiting=value_in(request, "waiting") is True)
        except Refusal as refusal:
            return {**refusal_payload(refusal), "choices": _alternatives(services, state)}

    def board_file(request: object) -> BoardFilePayload | RefusedPayload:
        try:
            return _file(services, state_in(request), value_in(request, "kind"))
        except Refusal as refusal:
            return refusal_payload(refusal)

    def panel(request: object) -> PanelPayload | ComputingPayload | NoBoardPayload:
        state = state_in(request)
        try:
            return _panel(services, state, waiting=value_in(request, "waiting") is True, done=value_in(request, "done"))
        except Refusal as refusal:
            return {**refusal_payload(refusal), "choices": _alternatives(services, state)}

    return [board, board_file, panel, point_call(services)]


def _board(services: Services, state: LinkState, *, waiting: bool) -> LeaderboardPayload | ComputingPayload:
    """Return the leaderboard; if `waiting`, the page already has the point estimates and needs only the intervals."""
    subject = subject_of(services.store, state)
    report = PanelRequest(services, subject, state).report(subject.intervals)
    if not report.board.resamples and waiting:
        left = services.intervals.board_left(
            subject.chosen,
            subject.models,
            natural=subject.natural,
            minimum=subject.minimum,
            kind=subject.intervals,
        )
        return {"stage": "computing", "left": left}
    return board_payload(services.store, subject, report)


def _panel(services: Services, state: LinkState, *, waiting: bool, done: object) -> PanelPayload | ComputingPayload:
    """Return a panel; if `waiting`, the page has its points and `done` intervals already (None: wait for all)."""
    panel = _named(state)
    try:
        subject = subject_of(services.store, state)
    except Refusal:
        if panel.without_cohort is None:
            raise
        return _answer(panel, NO_CHOICES, panel.without_cohort(state))
    content = panel.content(PanelRequest(services, subject, state))
    if content.computing and waiting and done in (None, content.done):
        return {"stage": "computing", "left": None}
    choices = evaluate_choices(services.store, subject)
    if FINDING_WORD.name in content.words:  # Explore shows the same finding
        shown = subject_of(services.store, {**state, **content.words}).explored
        choices = evaluate_choices(services.store, replace(subject, explored=shown))
        choices["picked"] = picked_sentences(replace(subject.in_explore, finding=None))
    answer = _answer(panel, choices, content)
    answer["notes"] = [*(picked_notes(subject.chosen) if content.of_films else ()), *answer["notes"]]
    answer["complaints"] = [*subject.complaints, *answer["complaints"]]
    answer["simulated"] = content.of_films and services.simulated(subject.chosen.cohort)
    return answer


def _answer(panel: Panel, choices: ChoicesPayload, content: PanelContent) -> PanelPayload:
    """Return a panel's content with the choices beside it."""
    return {
        **choices,
        "words": {**choices["words"], "panel": panel.word, **content.words},
        "stage": "panel",
        "panel": panel.word,
        "title": content.title,
        "notes": [*content.notes],
        "complaints": [*content.complaints],
        "simulated": False,
        "computing": content.computing,
        "done": content.done,
        "content": content.payload,
    }


def _named(state: LinkState) -> Panel:
    """Return the panel that the address names. Raises WrongLink for an unknown one."""
    word = state.get("panel")
    if not isinstance(word, str) or word not in PANELS:
        raise WrongLink("Evaluate has no such panel", f"Its panels: leaderboard, {', '.join(PANELS)}.")
    return PANELS[word]


def _alternatives(services: Services, state: LinkState) -> ChoicesPayload | None:
    """Return the choices to offer when models cannot be compared: the cohort's models, or another cohort."""
    try:
        subject = subject_of(services.store, state)
        return evaluate_choices(services.store, replace(subject, complaints=()))
    except Refusal:
        return None


def _file(services: Services, state: LinkState, kind: object) -> BoardFilePayload:
    """Return the file of the panel that the address names, by default that of the leaderboard."""
    if not isinstance(kind, str) or kind not in MEDIA_TYPES:
        raise WrongLink("This panel has no such file", f"Its formats: {', '.join(MEDIA_TYPES)}.")
    request = PanelRequest(services, subject_of(services.store, state), state)
    if state.get("panel"):
        panel = _named(state)
        table = panel.table(request)
        noted_table = replace(table, notes=(*picked_notes(request.subject.chosen), *table.notes))
        name, text = panel.word, table_in(kind, noted_table)
    else:
        name, text = "evaluate", format_board(kind, request.report(request.subject.intervals))
    return {
        "stage": "export",
        "name": f"tailscope_{name}_{request.subject.chosen.cohort}.{_ENDINGS[kind]}",
        "type": MEDIA_TYPES[kind],
        "data": b64encode(text.encode()).decode("ascii"),
    }
