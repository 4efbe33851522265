"""Together: co-occurrence of findings in labels and in a model's calls, and where the two differ most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypedDict, get_args

import numpy as np

from explorer.analysis.comparisons.co_occurrence import (
    MAX_LISTED_PAIRS,
    CoOccurrence,
    FindingPair,
    co_occurrence,
    extreme_pairs,
    pairs_with_intervals,
)
from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.report import BoardReport, board_title, left_out_notes
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import difference_text, share_text
from explorer.core.findings import Outcome
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.together_chart import ShownValue, together_chart
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id, slice_words
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload

MODEL_WORD, VIEW_WORD = "of", "show"
SHOWN_VALUES: tuple[ShownValue, ...] = get_args(ShownValue)
PAIR_TITLES = ("most too often", "most too rarely")
PAIR_HEADER = ("where", "also", "called", "at all", "labeled", "at all", "excess of calls")


class FindingPairPayload(TypedDict):
    """A pair of findings with shares and counts; `words` is Explore's address of its mistakes."""

    given: str
    other: str
    called: ValuePayload
    calls: int
    labeled: ValuePayload
    labels: int
    difference: ValuePayload
    called_at_all: float | None
    labeled_at_all: float | None
    words: dict[str, str]


class TogetherPayload(TypedDict):
    """The panel's data; `often` and `rarely` are the most extreme pairs."""

    plotly: str
    figure: Plotly
    model: str
    models: list[dict[str, str]]
    of: str
    show: ShownValue
    shown: list[dict[str, str]]
    few: int
    calls: bool
    often: list[FindingPairPayload]
    rarely: list[FindingPairPayload]


@dataclass(frozen=True, slots=True)
class _PanelData:
    """Everything that the panel shows; `model` is an index."""

    report: BoardReport
    model: int
    show: ShownValue
    found: CoOccurrence
    often: tuple[FindingPair, ...]
    rarely: tuple[FindingPair, ...]
    words: dict[str, str]
    complaints: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.report.board.models[self.model]


def _panel_data(request: PanelRequest) -> _PanelData:
    report, subject = request.report(), request.subject
    words: dict[str, str] = {}
    complaints: list[str] = []
    of, show = request.state.get(MODEL_WORD), request.state.get(VIEW_WORD)
    ids = [model_id(subject.chosen.cohort, name) for name in subject.models]
    model = ids.index(str(of)) if of in ids else report.reference
    if of and of not in ids:
        complaints.append("The link names a model that is not among these. It was ignored.")
    chosen = next((each for each in SHOWN_VALUES if each == show), SHOWN_VALUES[0])
    if show and chosen != show:
        complaints.append("The link asks for a view that this panel does not have. It was ignored.")
    if model != report.reference:
        words[MODEL_WORD] = ids[model]
    if chosen != SHOWN_VALUES[0]:
        words[VIEW_WORD] = chosen
    joint = joint_scores(request.services.store, subject.chosen, subject.models)
    found = co_occurrence(joint, model, natural=subject.natural)
    often, rarely = (
        pairs_with_intervals(joint, model, pairs, natural=subject.natural)
        for pairs in extreme_pairs(found, FEW_POSITIVES)
    )
    return _PanelData(report, model, chosen, found, often, rarely, words, tuple(complaints))


def _content(request: PanelRequest) -> PanelContent:
    answer = _panel_data(request)
    report, cohort = answer.report, request.subject.chosen.cohort
    payload: TogetherPayload = {
        "plotly": PLOTLY,
        "figure": together_chart(answer.found, by_frequency(report.board), answer.show, FEW_POSITIVES),
        "model": answer.name,
        "models": [{"word": model_id(cohort, name), "name": name} for name in report.board.models],
        "of": model_id(cohort, answer.name),
        "show": answer.show,
        "shown": [{"word": each, "name": each} for each in SHOWN_VALUES],
        "few": FEW_POSITIVES,
        "calls": bool(answer.found.called.any()),
        "often": [_pair(request, answer, each, Outcome.FALSE_ALARM) for each in answer.often],
        "rarely": [_pair(request, answer, each, Outcome.MISS) for each in answer.rarely],
    }
    notes = tuple(_notes(answer))
    return PanelContent(board_title(report), notes, dict(payload), False, answer.words, answer.complaints)


def _pair(request: PanelRequest, answer: _PanelData, pair: FindingPair, outcome: Outcome) -> FindingPairPayload:
    found, at = answer.found, (pair.given, pair.other)
    given, other = found.findings[pair.given], found.findings[pair.other]
    films = request.subject.chosen.whole_films()  # pair filters would also filter the mistakes
    mistakes = replace(films, model=answer.name, finding=other, outcomes=(outcome,), called=given)
    return {
        "given": given,
        "other": other,
        "called": _value(float(found.calls[at])),
        "calls": int(found.called[at]),
        "labeled": _value(float(found.labels[at])),
        "labels": int(found.labeled[at]),
        "difference": _value(pair.value, pair.low, pair.high),
        "called_at_all": or_none(found.call_rates[at]),
        "labeled_at_all": or_none(found.label_rates[at]),
        "words": slice_words(mistakes),
    }


def _value(value: float, low: float = np.nan, high: float = np.nan) -> ValuePayload:
    return {"value": or_none(value), "low": or_none(low), "high": or_none(high)}


def _table(request: PanelRequest) -> ResultTable:
    answer = _panel_data(request)
    grids = tuple(
        TextGrid(f"pairs that {answer.name} calls together {words}", PAIR_HEADER, tuple(_lines(answer.found, pairs)))
        for words, pairs in zip(PAIR_TITLES, (answer.often, answer.rarely), strict=True)
    )
    return ResultTable(board_title(answer.report), tuple(_notes(answer)), grids, tuple(_rows(answer)))


def _lines(found: CoOccurrence, pairs: tuple[FindingPair, ...]) -> Iterator[tuple[str, ...]]:
    for each in pairs:
        at = each.given, each.other
        yield (
            found.findings[each.given],
            found.findings[each.other],
            f"{_share(found.calls[at])} of {found.called[at]:,}",
            _share(found.call_rates[at]),
            f"{_share(found.labels[at])} of {found.labeled[at]:,}",
            _share(found.label_rates[at]),
            difference_text(each.value, each.low, each.high),
        )


def _share(value: float) -> str:
    return share_text(float(value), 3)


def _rows(answer: _PanelData) -> Iterator[Cells]:
    """Yield every pair; only listed pairs have intervals."""
    found, order = answer.found, by_frequency(answer.report.board)
    known = {(each.given, each.other): each for each in (*answer.often, *answer.rarely)}
    for given in order:
        for other in order:
            if given == other:
                continue
            at = given, other
            listed = known.get(at)
            yield {
                "model": answer.name,
                "given": found.findings[given],
                "other": found.findings[other],
                "called_given": int(found.called[at]),
                "share_called": or_none(found.calls[at]),
                "rate_called": or_none(found.call_rates[at]),
                "labeled_given": int(found.labeled[at]),
                "share_labeled": or_none(found.labels[at]),
                "rate_labeled": or_none(found.label_rates[at]),
                "excess_of_calls": or_none(found.difference[at]),
                "ci_low": None if listed is None else or_none(listed.low),
                "ci_high": None if listed is None else or_none(listed.high),
            }


def _notes(answer: _PanelData) -> Iterator[str]:
    if answer.report.simulated:
        yield "SIMULATED films."
    yield (
        "A cell is the share of films with the row's finding that also have the column's. Only films count with known "
        "labels and thresholds of both findings."
    )
    yield (
        f"The {MAX_LISTED_PAIRS} most extreme pairs at each end are listed, with at least {FEW_POSITIVES} films "
        f"labeled and {FEW_POSITIVES} called with the first finding. As chosen extremes, their differences are "
        "exaggerated; the 95 % intervals, clustered by patient, do not correct for this."
    )
    yield (
        "The excess of calls is how much the first finding raises the second's share above its overall rate, in calls "
        "minus the same in labels: a finding called too often everywhere has no excess from that alone."
    )
    if answer.report.natural:
        yield "Films are weighted to natural prevalence; n counts films."
    yield from left_out_notes(answer.report)


TOGETHER_PANEL = Panel("together", "Together", _content, _table)
