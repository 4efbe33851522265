"""Robustness: how a model's metrics and calls change when its films are perturbed, by kind and strength."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypedDict

from explorer.analysis.leaderboard.joint_scores import NoComparison, compared_films
from explorer.analysis.robustness.level_metrics import OF_BOARD, ChangedMeasure
from explorer.analysis.robustness.not_scored import not_scored
from explorer.analysis.robustness.perturbed_films import scored_levels
from explorer.analysis.robustness.report import Robustness, robustness_work, without_intervals
from explorer.analysis.robustness.summary import summary
from explorer.analysis.robustness.table import method_notes, robustness_table, robustness_title
from explorer.cohorts.layout import Folder
from explorer.cohorts.perturbed_scores import known_levels
from explorer.core.result_table import ResultTable
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.in_background import background_left, in_background
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.part_choice import PartChoicePayload, part_choices, requested_part
from explorer.ui.evaluate.panels.robustness_chart import (
    not_drawn_words,
    strengths_chart,
    switched_chart,
    switched_title,
)
from explorer.ui.evaluate.panels.robustness_folds import TextTablePayload, text_tables
from explorer.ui.evaluate.panels.unstable_films import UnstablePayload, list_of_unstable_films, unstable_films
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id
from models.perturbations.film import SCALES, Level, Scale

if TYPE_CHECKING:
    from explorer.store.store import Store

MODEL_WORD, SCALE_WORD = "of", "scale"
AT_ONCE = 4_000_000  # scores of all levels: figures of more take many seconds, and are computed in the background
WHAT_IS_SHOWN = (
    "The panel shows how each metric's mean changes from the same films unchanged, which calls flip, by finding and "
    "frequency group, and the films whose calls are least stable."
)


class RobustnessFoundPayload(TypedDict):
    """What was found: sentences, the most important one first, two charts, tables of text, and unstable films.

    `strengths` has the costliest kinds with strengths, and `rest` names the others. `switched` has the kinds without,
    above the published teams if they print the metric. Charts are null without such kinds.
    """

    sentences: list[str]
    parts: list[PartChoicePayload]
    part: PartChoicePayload
    strengths: Plotly | None
    rest: str
    switched: Plotly | None
    switched_title: str
    tables: list[TextTablePayload]
    unstable: list[UnstablePayload]


class RobustnessPayload(TypedDict):
    """The panel's data; `found` is null while figures of many films are computed, and if `missing` says what to do."""

    plotly: str
    model: str
    of: str
    models: list[OptionPayload]
    scale: Scale
    scales: list[OptionPayload]
    measure: ChangedMeasure
    measures: list[OptionPayload]
    missing: str
    found: RobustnessFoundPayload | None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What the address asks for; `levels` were scored by the model, possibly none."""

    model: str
    scale: Scale
    scales: tuple[Scale, ...]
    levels: tuple[Level, ...]
    measure: ChangedMeasure
    words: dict[str, str]
    complaints: tuple[str, ...]


def _chosen(request: PanelRequest) -> _Chosen:
    """Return the model of the address, by default the reference or, without its scores, the first that has some."""
    subject, state = request.subject, request.state
    cohort = subject.chosen.cohort
    folder = request.services.store.folder(cohort)
    reference = subject.models[subject.reference]
    order = (reference, *(each for each in subject.models if each != reference))
    usual = next((each for each in order if _levels_by_scale(folder, each)), reference)
    ids = {model_id(cohort, each): each for each in order}
    sent, words, complaints = state.get(MODEL_WORD), dict[str, str](), list[str]()
    if sent and sent not in ids:
        complaints.append("The link names a model that is not among these. It was ignored.")
    model = ids.get(str(sent), usual)
    if model != usual:
        words[MODEL_WORD] = model_id(cohort, model)
    scored = _levels_by_scale(folder, model)
    scales = tuple(scored)
    scale = next((each for each in scales if each == state.get(SCALE_WORD)), scales[0] if scales else SCALES[0])
    if scales and scale != scales[0]:
        words[SCALE_WORD] = scale
    return _Chosen(
        model=model,
        scale=scale,
        scales=scales,
        levels=scored.get(scale, ()),
        measure=OF_BOARD[subject.measure],
        words=words,
        complaints=tuple(complaints),
    )


def _levels_by_scale(folder: Folder, model: str) -> dict[Scale, tuple[Level, ...]]:
    """Return the levels that a model scored, by the scales of which it scored any."""
    scored = {scale: scored_levels(folder, model, scale) for scale in SCALES}
    return {scale: some for scale, some in scored.items() if some}


def _found(request: PanelRequest, chosen: _Chosen) -> tuple[Robustness | None, float | None]:
    """Return the comparison, with intervals if they are ready, and the seconds left until the next answer."""
    store, films = request.services.store, request.subject.chosen
    version = _version(store, films.cohort, chosen)
    name = ("robustness", chosen.model, chosen.scale, version)

    def work() -> Callable[..., Robustness]:
        return robustness_work(store, films, chosen.model, chosen.scale)

    compared = compared_films(store, films, (chosen.model,))
    many = len(compared.films) * len(compared.findings) * len(chosen.levels) > AT_ONCE
    points: Robustness | None = None
    if many:
        of_points = ("points", *name)
        points = in_background(request, of_points, lambda: partial(without_intervals, work()), reports=True)
        if points is None:
            return None, background_left(request, of_points)
    found = in_background(request, name, work, reports=True)
    left = background_left(request, name)
    return found or points or _points(store, films, chosen.model, chosen.scale, version), left


@cached_per_owner(8)
def _points(store: Store, films: Slice, model: str, scale: Scale, _version: Hashable) -> Robustness:
    return robustness_work(store, films, model, scale)(0, 0)


def _version(store: Store, cohort: str, chosen: _Chosen) -> Hashable:
    """Return what changes when a level is scored again."""
    there = known_levels(store.folder(cohort), chosen.model)
    files = (there[level.name].model(level.name) for level in chosen.levels)
    return store.version(cohort, chosen.model), tuple(path.stat().st_mtime_ns for path in files)


def _content(request: PanelRequest) -> PanelContent:
    chosen, cohort = _chosen(request), request.subject.chosen.cohort
    found, left = _found(request, chosen) if chosen.levels else (None, None)
    parts = () if found is None else found.parts
    place, words, complaints = requested_part(cohort, parts, request.state) if parts else (0, {}, ())
    payload: RobustnessPayload = {
        "plotly": PLOTLY,
        "model": chosen.model,
        "of": model_id(cohort, chosen.model),
        "models": [{"word": model_id(cohort, each), "name": each} for each in request.subject.models],
        "scale": chosen.scale,
        "scales": [{"word": each, "name": each} for each in chosen.scales],
        "measure": chosen.measure,
        "measures": [{"word": word.lower(), "name": name} for word, name in OF_BOARD.items()],
        "missing": "" if chosen.levels else str(_not_scored(request, chosen)),
        "found": None if found is None else _found_payload(request, found, chosen, place),
    }
    return PanelContent(
        f"{chosen.model} on perturbed films" if found is None else robustness_title(found),
        (WHAT_IS_SHOWN,) if found is None else tuple(_notes(request, found)),
        dict(payload),
        computing=bool(chosen.levels) and (found is None or not found.resamples),
        words=chosen.words | words,
        complaints=(*chosen.complaints, *complaints),
        done=int(found is not None),
        left=left,
    )


def _notes(request: PanelRequest, found: Robustness) -> Iterator[str]:
    if found.simulated:
        yield "SIMULATED films."
    if request.subject.natural:
        yield "Films are not weighted to natural prevalence here."
    yield f"The films are {found.films.split}."
    yield from method_notes(found)


def _found_payload(request: PanelRequest, found: Robustness, chosen: _Chosen, place: int) -> RobustnessFoundPayload:
    choices = part_choices(found.chosen.cohort, found.parts)
    return {
        "sentences": list(summary(found)),
        "parts": choices,
        "part": choices[place],
        "strengths": strengths_chart(found, place, chosen.measure),
        "rest": not_drawn_words(found, place, chosen.measure),
        "switched": switched_chart(found, place, chosen.measure),
        "switched_title": switched_title(chosen.measure),
        "tables": list(text_tables(found, place)),
        "unstable": unstable_films(request, found),
    }


def _not_scored(request: PanelRequest, chosen: _Chosen) -> NoComparison:
    store, films = request.services.store, request.subject.chosen
    compared = compared_films(store, films, (chosen.model,))
    return not_scored(films.cohort, store.model(films.cohort, chosen.model), chosen.scale, len(compared.films))


def _table(request: PanelRequest) -> ResultTable:
    return robustness_table(_found_or_refused(request))


def _found_or_refused(request: PanelRequest) -> Robustness:
    chosen = _chosen(request)
    if not chosen.levels:
        raise _not_scored(request, chosen)
    found, _ = _found(request, chosen)
    if found is None:
        raise NoComparison("The levels are being compared", "Save them once the charts are shown.")
    return found


def unstable_list(request: PanelRequest) -> dict[str, str]:
    """Save the least stable films as a list of cases and return its address. Raises NoComparison, WrongMark."""
    return list_of_unstable_films(request, _found_or_refused(request))


ROBUSTNESS_PANEL = Panel("robustness", "Stress tests", _content, _table)
