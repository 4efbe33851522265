"""Links to a lesson's film and to its number on the page, and what to highlight there."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict
from urllib.parse import quote_plus, urlencode

from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES
from explorer.school.lessons.step import LessonStep, NumberLink
from explorer.store.filter_kinds import as_word
from explorer.store.slices import Slice
from explorer.ui.shared.links import center_id, model_id, slice_words
from explorer.ui.simulate.link import simulate_link

FILM_PLACES = ("score", "heat", "map", "elsewhere")


class NumberPayload(TypedDict):
    """The link to a number, its label, and a CSS selector of what to highlight."""

    link: str
    go: str
    mark: str


def shown_link(step: LessonStep, where: str) -> str:
    """The link to a film after the reveal."""
    view = f"&show={step.view}" if step.view else ""
    return f"{simulate_link(step.shown or where)}{view}&look={quote_plus(step.film.question.finding or '')}"


def number_payload(step: LessonStep, where: str) -> NumberPayload:
    """The number of a step."""
    return {"link": number_link(step, where), "go": step.number.go, "mark": _mark(step.number)}


def number_link(step: LessonStep, where: str) -> str:
    """The link to the number, which is the film's own link if the number is shown with the film."""
    number = step.number
    if number.place in FILM_PLACES or number.slice is None:
        return shown_link(step, where)
    return _board(number, number.slice) if number.place == "board" else _explore(number, number.slice)


def _explore(number: NumberLink, chosen: Slice) -> str:
    compared = number.place == "compared"
    shown = replace(chosen, finding=number.finding) if compared else chosen
    words = slice_words(shown) | {"panel": "compare" if compared else number.place}
    if number.place != "scatter":
        words["measure"] = number.measure
    if number.beside is not None:
        words["beside"] = urlencode(slice_words(replace(number.beside, finding=number.finding)))
    return f"#explore?{urlencode(words)}"


def _board(number: NumberLink, chosen: Slice) -> str:
    models = [model_id(chosen.cohort, name) for name in number.models]
    words = {name: word for name, word in slice_words(chosen).items() if name != "model"}
    metric = "auroc" if number.measure == "auroc" else BOARD_MEASURES[0].lower()
    words |= {"models": ".".join(models), "reference": models[0], "metric": metric, "by": as_word(number.part)}
    return f"#evaluate?{urlencode(words)}"


def _mark(number: NumberLink) -> str:
    """The CSS selector of what the lesson bar highlights; names in it are address words."""
    word = as_word(number.finding)
    match number.place:
        case "table":
            at = center_id(number.slice.cohort, number.center) if number.slice and number.center else ""
            return f'#explore .cells-line[data-finding="{word}"] [data-measure="{number.measure}"][data-center="{at}"]'
        case "compared":
            return f'#explore .compared tr[data-finding="{word}"]'
        case "scatter":
            return f'#explore .scatter-table tr:has([data-key="scatter {word}"])'
        case "board":
            return "#evaluate .board-table tbody td.on"
        case "score":
            column = 3 if number.center == "twin" else 2
            return f'#simulate .sim-table:first-of-type tr[data-finding="{number.finding}"] td:nth-child({column})'
        case "heat":
            return '#simulate .sim-lines:first-of-type [data-line="Heat in the mask"]'
        case "map":
            return "#simulate .evidence-text"
        case "elsewhere":
            return "#simulate .sim-beside-says"
