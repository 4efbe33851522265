"""Calls of the Evaluate tab's script: the leaderboard or a panel at once, intervals once computed, and files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypedDict

from explorer.analysis.leaderboard.picked_films import picked_notes
from explorer.analysis.leaderboard.table import format_board
from explorer.cohorts.counted import Counted, case_words, case_words_within, counted_by
from explorer.cohorts.manifest import Manifest
from explorer.cohorts.study_cohorts import study_notes
from explorer.core.metric_plan import IntervalKind
from explorer.core.result_table import table_in
from explorer.ui.evaluate.filter_choices import picked_sentences
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.evaluate.panels.finding_asked import FINDING_WORD
from explorer.ui.evaluate.panels.finding_point import point_call
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.payload import NO_CHOICES, ChoicesPayload, LeaderboardPayload, board_payload, evaluate_choices
from explorer.ui.evaluate.study_calls import out_of_date
from explorer.ui.evaluate.subject import Subject, subject_of
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
    """A panel; its script draws `content` and words it by what is `counted`.

    `computing`: intervals are being computed, `done` of them are ready.
    """

    stage: Literal["panel"]
    panel: str
    title: str
    notes: list[str]
    complaints: list[str]
    counted: Counted
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
        return {"stage": "computing", "left": _board_left(services, subject, subject.intervals)}
    return board_payload(services.store, subject, report)


def _board_left(services: Services, subject: Subject, kind: IntervalKind = "percentile") -> float | None:
    """Return the seconds left of the leaderboard's intervals, which many panels show, too; None if unknown."""
    return services.intervals.board_left(subject.board_question(kind))


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
        return {"stage": "computing", "left": content.left or _board_left(services, subject)}
    choices = evaluate_choices(services.store, subject)
    if FINDING_WORD.name in content.words:  # Explore shows the same finding
        shown = subject_of(services.store, {**state, **content.words}).explored
        choices = evaluate_choices(services.store, replace(subject, explored=shown))
        choices["picked"] = picked_sentences(
            replace(subject.in_explore, finding=None), counted_by(services.store.cohort(subject.chosen.cohort))
        )
    about = services.store.cohort(subject.chosen.cohort)
    answer = _answer(panel, choices, _in_case_words(content, about))
    if content.of_films:
        picked = (case_words(note, counted_by(about)) for note in picked_notes(subject.chosen))
        answer["notes"] = [*study_notes(about), *picked, *answer["notes"]]
    stale = out_of_date(services.store, subject.chosen.cohort)
    answer["complaints"] = [*subject.complaints, *stale, *answer["complaints"]]
    answer["counted"] = counted_by(about) if content.of_films else "film"
    answer["simulated"] = content.of_films and services.simulated(subject.chosen.cohort)
    return answer


def _in_case_words(content: PanelContent, about: Manifest) -> PanelContent:
    """Return a panel's content, which is written about films, in words of what the cohort counts."""
    counted = counted_by(about)
    if counted == "film" or not content.of_films:
        return content
    payload = {name: case_words_within(value, counted) for name, value in content.payload.items()}
    notes = tuple(case_words(note, counted) for note in content.notes)
    return replace(content, title=case_words(content.title, counted), notes=notes, payload=payload)


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
        "counted": "film",
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
    chosen = request.subject.chosen
    read_as = f"_uncertain-as-{chosen.uncertain}" if chosen.uncertain else ""  # a table of rows has no title
    if state.get("panel"):
        panel = _named(state)
        table = panel.table(request)
        about = services.store.cohort(chosen.cohort)
        counted = counted_by(about)
        notes = (case_words(note, counted) for note in (*picked_notes(chosen), *table.notes))
        grids = tuple(replace(each, title=case_words(each.title, counted)) for each in table.grids)
        noted_table = replace(table, notes=(*study_notes(about), *notes), grids=grids)
        name, text = panel.word, table_in(kind, noted_table)
    else:
        name, text = "evaluate", format_board(kind, request.report(request.subject.intervals))
    return {
        "stage": "export",
        "name": f"tailscope_{name}_{chosen.cohort}{read_as}.{_ENDINGS[kind]}",
        "type": MEDIA_TYPES[kind],
        "data": b64encode(text.encode()).decode("ascii"),
    }
