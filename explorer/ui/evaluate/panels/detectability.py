"""Detectability: how often simulated findings inserted into films are flagged, by place, severity and patient.

It is the second part of the panel Stress tests: Robustness asks whether scores hold, this one whether they rise.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from explorer.analysis.detectability.report import (
    Detectability,
    detectability,
    doubt_words,
    notes,
    sentences,
    title,
    usual_severity,
)
from explorer.analysis.detectability.table import detectability_table, groups_grid, severity_grid, without_grid
from explorer.analysis.detectability.trials import models_with_trials, not_inserted
from explorer.analysis.leaderboard.joint_scores import NoComparison, compared_films
from explorer.cohorts.inserted_scores import inserted_models
from explorer.core.figures import fixed
from explorer.core.result_table import ResultTable
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_kinds import as_word
from explorer.store.slices import Slice
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.blind_films import BlindPayload, blind_payload, list_of_blind_films
from explorer.ui.evaluate.panels.detectability_chart import flagged_chart, groups_chart, score_chart
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.robustness import MODEL_WORD
from explorer.ui.evaluate.panels.robustness_folds import TextTablePayload, text_table
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id

if TYPE_CHECKING:
    from explorer.store.store import Store

OTHER_WORD, FINDING_WORD, SEVERITY_WORD = "other", "inserted", "grade"
NO_OTHER = "none"
WHAT_IS_SHOWN = (
    "The panel shows how often simulated findings put into films without any are flagged, by place, severity and "
    "patient, and from which severity on."
)


class DetectabilityFoundPayload(TypedDict):
    """What was found for a finding at a severity: sentences, three charts, tables of text, and films.

    `shares` has all findings by severity, `groups` the chosen one by zone and patient, `scores` its score. `doubt`
    names the findings that are not validated, for saved charts, and may be empty.
    """

    sentences: list[str]
    doubt: str
    finding: str
    findings: list[OptionPayload]
    severity: str
    severities: list[OptionPayload]
    shares: Plotly
    groups: Plotly
    scores: Plotly
    tables: list[TextTablePayload]
    blind: BlindPayload


class DetectabilityPayload(TypedDict):
    """The panel's data; `missing` says what to do if there is nothing to show, which makes `found` null."""

    plotly: str
    model: str
    of: str
    models: list[OptionPayload]
    other: str
    others: list[OptionPayload]
    missing: str
    found: DetectabilityFoundPayload | None


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The models of the address; `models` are those that can be chosen."""

    models: tuple[str, ...]
    model: str
    other: str | None
    words: dict[str, str]
    complaints: tuple[str, ...]


def _chosen(request: PanelRequest) -> _Chosen:
    """Return the models of the address; by default the reference, or another with scores, and one more."""
    subject, state = request.subject, request.state
    cohort, reference = subject.chosen.cohort, subject.models[subject.reference]
    scored = models_with_trials(request.services.store.folder(cohort))
    usual = next((each for each in (reference, *subject.models, *scored) if each in scored), reference)
    models = (usual, *(each for each in scored if each != usual))
    ids, words, complaints = {model_id(cohort, each): each for each in models}, dict[str, str](), list[str]()
    model = ids.get(str(state.get(MODEL_WORD)), usual)
    if model != usual:
        words[MODEL_WORD] = str(state[MODEL_WORD])
    others, sent = [each for each in models if each != model], str(state.get(OTHER_WORD) or "")
    first = next(iter(others), None)
    other = None if sent == NO_OTHER else ids[sent] if ids.get(sent) in others else first
    if others and other != first:
        words[OTHER_WORD] = sent
    if any(state.get(word) and state.get(word) not in (*ids, NO_OTHER) for word in (MODEL_WORD, OTHER_WORD)):
        complaints.append("The link names a model without scores of inserted findings. It was ignored.")
    return _Chosen(models, model, other, words, tuple(complaints))


def _found(request: PanelRequest, chosen: _Chosen) -> Detectability | None:
    """Return the counts; None if the model has no scores of inserted findings."""
    store, cohort = request.services.store, request.subject.chosen.cohort
    there = inserted_models(store.folder(cohort))
    if chosen.model not in there:
        return None
    files = tuple(there[each].model(each).stat().st_mtime_ns for each in (chosen.model, chosen.other) if each)
    version = (store.version(cohort, chosen.model), files)
    return _counted(store, request.subject.chosen, chosen.model, chosen.other, version)


@cached_per_owner(8)
def _counted(store: Store, films: Slice, model: str, other: str | None, _version: Hashable) -> Detectability:
    return detectability(store, films, model, other)


def _content(request: PanelRequest) -> PanelContent:
    chosen = _chosen(request)
    cohort, found = request.subject.chosen.cohort, _found(request, chosen)
    words, payload_found = dict(chosen.words), None
    complaints = chosen.complaints
    if found is not None:
        finding, severity, more, ignored = _shown(request, found)
        words |= more
        complaints += ignored
        payload_found = _found_payload(request, found, finding, severity)
    none: OptionPayload = {"word": NO_OTHER, "name": NO_OTHER}
    payload: DetectabilityPayload = {
        "plotly": PLOTLY,
        "model": chosen.model,
        "of": model_id(cohort, chosen.model),
        "models": _options(cohort, chosen.models),
        "other": NO_OTHER if chosen.other is None else model_id(cohort, chosen.other),
        "others": [none, *_options(cohort, (each for each in chosen.models if each != chosen.model))],
        "missing": "" if found is not None else str(_not_inserted(request, chosen)),
        "found": payload_found,
    }
    return PanelContent(
        f"{chosen.model} on inserted findings" if found is None else title(found),
        (WHAT_IS_SHOWN,) if found is None else tuple(notes(found)),
        dict(payload),
        computing=False,
        words=words,
        complaints=complaints,
    )


def _not_inserted(request: PanelRequest, chosen: _Chosen) -> NoComparison:
    """Return which command makes the scores. Raises NoComparison for films that lack labels, too."""
    store, films = request.services.store, request.subject.chosen
    compared_films(store, films, (chosen.model,))
    return not_inserted(films.cohort, store.model(films.cohort, chosen.model))


def _options(cohort: str, models: Iterable[str]) -> list[OptionPayload]:
    return [{"word": model_id(cohort, each), "name": each} for each in models]


def _shown(request: PanelRequest, found: Detectability) -> tuple[str, float, dict[str, str], tuple[str, ...]]:
    """Return the finding and severity of the address, by default the first and a medium one; words and complaints."""
    state, words = request.state, dict[str, str]()
    named = {as_word(each): each for each in found.findings}
    finding = named.get(str(state.get(FINDING_WORD)), found.findings[0])
    if finding != found.findings[0]:
        words[FINDING_WORD] = as_word(finding)
    usual = usual_severity(found, finding)
    by_word = {fixed(each, 1): each for each in found.trials.severities(finding)}
    severity = by_word.get(str(state.get(SEVERITY_WORD)), usual)
    if severity != usual:
        words[SEVERITY_WORD] = fixed(severity, 1)
    wrong = state.get(FINDING_WORD) and state.get(FINDING_WORD) not in named
    return finding, severity, words, ("The link names a finding that was not inserted. It was ignored.",) * bool(wrong)


def _found_payload(
    request: PanelRequest, found: Detectability, finding: str, severity: float
) -> DetectabilityFoundPayload:
    grids = {
        "severities": severity_grid(found),
        "groups": groups_grid(found, finding, severity),
        "without": without_grid(found),
    }
    return {
        "sentences": list(sentences(found, finding, severity)),
        "doubt": doubt_words(found),
        "finding": as_word(finding),
        "findings": [{"word": as_word(each), "name": each} for each in found.findings],
        "severity": fixed(severity, 1),
        "severities": [{"word": fixed(each, 1), "name": fixed(each, 1)} for each in found.trials.severities(finding)],
        "shares": flagged_chart(found),
        "groups": groups_chart(found, finding, severity),
        "scores": score_chart(found.curves[finding]),
        "tables": [text_table(word, "", grid) for word, grid in grids.items()],
        "blind": blind_payload(request, found, finding),
    }


def _table(request: PanelRequest) -> ResultTable:
    return detectability_table(_found_or_refused(request))


def _found_or_refused(request: PanelRequest) -> Detectability:
    chosen = _chosen(request)
    found = _found(request, chosen)
    if found is None:
        raise _not_inserted(request, chosen)
    return found


def blind_list(request: PanelRequest) -> dict[str, str]:
    """Save the films on which least is flagged as a list of cases and return its address. Raises NoComparison."""
    found = _found_or_refused(request)
    return list_of_blind_films(request, found, _shown(request, found)[0])


DETECTABILITY_PANEL = Panel("detectability", "Detectability", _content, _table, listed=False)
