"""What the Evaluate tab's script asks: the leaderboard or a panel at once, intervals when they are there, files."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, TypedDict

from explorer.analysis.leaderboard.picked_films import picked_notes
from explorer.analysis.leaderboard.table import board_in
from explorer.core.result_table import table_in
from explorer.ui.evaluate.filter_choices import picked_sentences
from explorer.ui.evaluate.panels.all_panels import PANELS
from explorer.ui.evaluate.panels.finding_asked import WORD
from explorer.ui.evaluate.panels.finding_point import point_call
from explorer.ui.evaluate.panels.panel import Asked, Panel
from explorer.ui.evaluate.payload import BoardPayload, ChoicesPayload, board_payload, choices_payload
from explorer.ui.evaluate.subject import subject_of
from explorer.ui.shared.links import LinkState, WrongLink
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal

KINDS = {"csv": "text/csv", "markdown": "text/markdown", "latex": "application/x-tex"}
_ENDINGS = {"csv": "csv", "markdown": "md", "latex": "tex"}


class ComputingPayload(TypedDict):
    """The intervals are still being computed; asking keeps them coming."""

    stage: Literal["computing"]
    left: float | None


class NoBoardPayload(RefusedPayload):
    """Why there is no leaderboard, and what can be chosen instead; null where there is no cohort."""

    choices: ChoicesPayload | None


class PanelPayload(ChoicesPayload):
    """A panel by its word; `content` is what its own script draws; `computing`: intervals are still to come, `done` of
    them are there.
    """

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
    """What the script may ask, each with one argument: {state, ...}. A refusal says why."""

    def board(asked: object) -> BoardPayload | ComputingPayload | NoBoardPayload:
        state = state_in(asked)
        try:
            return _board(services, state, waiting=value_in(asked, "waiting") is True)
        except Refusal as refusal:
            return {**refusal_payload(refusal), "choices": _elsewhere(services, state)}

    def board_file(asked: object) -> BoardFilePayload | RefusedPayload:
        try:
            return _file(services, state_in(asked), value_in(asked, "kind"))
        except Refusal as refusal:
            return refusal_payload(refusal)

    def panel(asked: object) -> PanelPayload | ComputingPayload | NoBoardPayload:
        state = state_in(asked)
        try:
            return _panel(services, state, waiting=value_in(asked, "waiting") is True, done=value_in(asked, "done"))
        except Refusal as refusal:
            return {**refusal_payload(refusal), "choices": _elsewhere(services, state)}

    return [board, board_file, panel, point_call(services)]


def _board(services: Services, state: LinkState, *, waiting: bool) -> BoardPayload | ComputingPayload:
    """`waiting`: the points are on the page already."""
    subject = subject_of(services.store, state)
    report = Asked(services, subject, state).report()
    if not report.board.resamples and waiting:
        left = services.intervals.board_left(subject.chosen, subject.models, natural=subject.natural)
        return {"stage": "computing", "left": left}
    return board_payload(services.store, subject, report)


def _panel(services: Services, state: LinkState, *, waiting: bool, done: object) -> PanelPayload | ComputingPayload:
    """`waiting`: the points are on the page already, and so many intervals as `done` says; None: wait for all."""
    panel = _named(state)
    subject = subject_of(services.store, state)
    content = panel.content(Asked(services, subject, state))
    if content.computing and waiting and done in (None, content.done):
        return {"stage": "computing", "left": None}
    choices = choices_payload(services.store, subject)
    if WORD.name in content.words:  # the finding that is shown is Explore's, too
        shown = subject_of(services.store, {**state, **content.words}).explored
        choices = choices_payload(services.store, replace(subject, explored=shown))
        choices["picked"] = picked_sentences(replace(subject.in_explore, finding=None))
    return {
        **choices,
        "words": {**choices["words"], "panel": panel.word, **content.words},
        "stage": "panel",
        "panel": panel.word,
        "title": content.title,
        "notes": [*picked_notes(subject.chosen), *content.notes],
        "complaints": [*subject.complaints, *content.complaints],
        "simulated": services.simulated(subject.chosen.cohort),
        "computing": content.computing,
        "done": content.done,
        "content": content.payload,
    }


def _named(state: LinkState) -> Panel:
    """Raises WrongLink for a panel that is not there."""
    word = state.get("panel")
    if not isinstance(word, str) or word not in PANELS:
        raise WrongLink("There is no such panel of Evaluate", f"There are: leaderboard, {', '.join(PANELS)}.")
    return PANELS[word]


def _elsewhere(services: Services, state: LinkState) -> ChoicesPayload | None:
    """What can be chosen where these models cannot be compared: the same cohort's models, or another cohort."""
    try:
        subject = subject_of(services.store, state)
        return choices_payload(services.store, replace(subject, complaints=()))
    except Refusal:
        return None


def _file(services: Services, state: LinkState, kind: object) -> BoardFilePayload:
    """The file of the panel that the address names, of the leaderboard where it names none."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise WrongLink("There is no such file of this panel", f"There are: {', '.join(KINDS)}.")
    asked = Asked(services, subject_of(services.store, state), state)
    if state.get("panel"):
        panel = _named(state)
        table = panel.table(asked)
        noted = replace(table, notes=(*picked_notes(asked.subject.chosen), *table.notes))
        name, text = panel.word, table_in(kind, noted)
    else:
        name, text = "evaluate", board_in(kind, asked.report())
    return {
        "stage": "export",
        "name": f"tailscope_{name}_{asked.subject.chosen.cohort}.{_ENDINGS[kind]}",
        "type": KINDS[kind],
        "data": b64encode(text.encode()).decode("ascii"),
    }
