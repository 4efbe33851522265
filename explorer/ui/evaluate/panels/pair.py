"""Two models, by finding: differences in a metric with intervals, p adjusted over findings, and DeLong beside AUROC."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypedDict

from explorer.analysis.comparisons.finding_differences import (
    MIN_POSITIVES,
    PAIR_MEASURES,
    Differences,
    FindingDifferences,
    PairMeasure,
    difference_points,
    finding_differences,
)
from explorer.analysis.comparisons.finding_differences_table import (
    DifferencesReport,
    by_positives,
    differences_notes,
    differences_table,
    differences_title,
    summary_words,
)
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.joint_scores import NoComparison, joint_scores
from explorer.analysis.leaderboard.means import slice_groups
from explorer.analysis.leaderboard.report import board_title, chosen_threshold_notes
from explorer.cohorts.counted import counted_by
from explorer.core.arrays import or_none
from explorer.core.findings import FrequencyGroup
from explorer.core.result_table import ResultTable
from explorer.metrics.bias_corrected import IntervalKind
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.in_background import background_left, in_background
from explorer.ui.evaluate.panels.pair_chart import pair_chart
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import LinkState, model_id
from explorer.ui.shared.panel_words import ValuePayload

OTHER_WORD, LEAST_WORD = "other", "least"
LEAST_CHOICES = (1, 5, MIN_POSITIVES, 20, 50)
_ON_BOARD: dict[BoardMeasure, PairMeasure] = {"AP": "AP", "AUROC": "AUROC", "F1": "F1", "recall": "sensitivity"}


class DifferencePayload(ValuePayload):
    """A difference; `p` is adjusted over the tested findings, null if not tested or not yet computed."""

    p: float | None


class PairRowPayload(TypedDict):
    """A finding: the two models' values, the difference, and that by DeLong (null but for AUROC)."""

    finding: str
    group: FrequencyGroup | None
    films: int
    positives: int
    tested: bool
    reference: float | None
    model: float | None
    difference: DifferencePayload
    area: DifferencePayload | None


class PairPayload(TypedDict):
    """The panel's data; `rows` start with the most positives. `others` may be compared with the reference.

    `figure` is null if the reference is the only chosen model.
    """

    plotly: str
    figure: Plotly | None
    reference: str
    model: str
    other: str
    others: list[OptionPayload]
    measure: PairMeasure
    measures: list[OptionPayload]
    least: int
    leasts: list[int]
    summary: str
    rows: list[PairRowPayload]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What the address asks for; `pair` is None if the reference is the only model."""

    reference: str
    others: tuple[str, ...]
    pair: tuple[str, str] | None
    measure: PairMeasure
    least: int
    kind: IntervalKind
    words: dict[str, str]
    complaints: tuple[str, ...]


def _chosen(request: PanelRequest) -> _Chosen:
    subject, state = request.subject, request.state
    cohort, reference = subject.chosen.cohort, subject.models[subject.reference]
    others = tuple(model for model in subject.models if model != reference)
    complaints: list[str] = []
    words: dict[str, str] = {}
    ids = {model_id(cohort, model): model for model in others}
    sent = state.get(OTHER_WORD)
    if sent and sent not in ids:
        complaints.append("The link compares with a model that is not among these. It was ignored.")
    if sent in ids and ids[str(sent)] != others[0]:
        words[OTHER_WORD] = str(sent)
    pair = (reference, ids.get(str(sent), others[0])) if others else None
    least = _least(state, complaints)
    if least != MIN_POSITIVES:
        words[LEAST_WORD] = str(least)
    measure = _ON_BOARD.get(subject.measure, "AP")
    return _Chosen(reference, others, pair, measure, least, subject.intervals, words, tuple(complaints))


def _least(state: LinkState, complaints: list[str]) -> int:
    sent = state.get(LEAST_WORD)
    if not sent:
        return MIN_POSITIVES
    if str(sent) not in map(str, LEAST_CHOICES):
        complaints.append(f"The link asks for another least n+ than {LEAST_CHOICES}. It was ignored.")
        return MIN_POSITIVES
    return int(str(sent))


def _report(request: PanelRequest, pair: tuple[str, str], chosen: _Chosen) -> DifferencesReport:
    """Return the comparison, with intervals if they are ready; otherwise start computing them."""
    store, films, natural = request.services.store, request.subject.chosen, request.subject.natural
    points = difference_points(store, films, pair, natural=natural)

    def prepare() -> partial[FindingDifferences]:
        return partial(finding_differences, joint_scores(store, films, pair), natural=natural, intervals=chosen.kind)

    found = in_background(request, _work_name(pair, chosen), prepare, reports=True)
    return DifferencesReport(
        (found or replace(points, intervals=chosen.kind)).at_least(chosen.least),
        films,
        slice_groups(store, films, pair),
        request.services.simulated(films.cohort),
        tuple(chosen_threshold_notes(store, films, pair)),
        counted_by(store.cohort(films.cohort)),
    )


def _work_name(pair: tuple[str, str], chosen: _Chosen) -> tuple[Hashable, ...]:
    return "pair", pair, chosen.kind


def _content(request: PanelRequest) -> PanelContent:
    chosen = _chosen(request)
    if chosen.pair is None:
        title = board_title(request.points())  # refuses films without labels
        return PanelContent(title, (), dict(_payload(request, chosen, None)), computing=False)
    report = _report(request, chosen.pair, chosen)
    return PanelContent(
        differences_title(report),
        tuple(differences_notes(report)),
        dict(_payload(request, chosen, report)),
        computing=not report.found.resamples,
        words=chosen.words,
        complaints=chosen.complaints,
        left=background_left(request, _work_name(chosen.pair, chosen)),
    )


def _payload(request: PanelRequest, chosen: _Chosen, report: DifferencesReport | None) -> PairPayload:
    cohort = request.subject.chosen.cohort
    order = [] if report is None else by_positives(report.found)
    return {
        "plotly": PLOTLY,
        "figure": None if report is None else pair_chart(report.found, chosen.measure, order),
        "reference": chosen.reference,
        "model": chosen.pair[1] if chosen.pair else "",
        "other": model_id(cohort, chosen.pair[1]) if chosen.pair else "",
        "others": [{"word": model_id(cohort, each), "name": each} for each in chosen.others],
        "measure": chosen.measure,
        "measures": [{"word": word.lower(), "name": name} for word, name in _ON_BOARD.items()],
        "least": chosen.least,
        "leasts": list(LEAST_CHOICES),
        "summary": "" if report is None else summary_words(report.found, chosen.measure),
        "rows": [] if report is None else [_row(report, chosen.measure, place) for place in order],
    }


def _row(report: DifferencesReport, measure: PairMeasure, place: int) -> PairRowPayload:
    found = report.found
    area = found.area if measure == "AUROC" else None
    reference, model = found.values[measure][:, place]
    return {
        "finding": found.findings[place],
        "group": report.groups.get(found.findings[place]),
        "films": found.known[place],
        "positives": found.positives[place],
        "tested": bool(found.tested[place]),
        "reference": or_none(reference),
        "model": or_none(model),
        "difference": _difference(found.differences[measure], place),
        "area": None if area is None else _difference(area, place),
    }


def _difference(found: Differences, place: int) -> DifferencePayload:
    value, low, high, p = (or_none(each[place]) for each in (found.value, found.low, found.high, found.adjusted))
    return {"value": value, "low": low, "high": high, "p": p}


def _table(request: PanelRequest) -> ResultTable:
    chosen = _chosen(request)
    if chosen.pair is None:
        raise NoComparison("Two models are compared here", "Choose a second model under *Models*.")
    return differences_table(_report(request, chosen.pair, chosen), PAIR_MEASURES)


PAIR_PANEL = Panel("pair", "Two models by finding", _content, _table)
