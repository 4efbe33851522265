"""A finding: ROC and precision-recall curves of the models, and the performance at each threshold of one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.leaderboard.report import board_title, left_out_notes
from explorer.analysis.one_finding.calibration import CALIBRATION_FOLDS
from explorer.analysis.one_finding.score_spread import score_spreads
from explorer.core.findings import FrequencyGroup
from explorer.core.result_table import ResultTable
from explorer.core.word_lists import and_list
from explorer.ui.evaluate.panels.calibration_chart import reliability_chart, spread_chart
from explorer.ui.evaluate.panels.figure_words import values
from explorer.ui.evaluate.panels.finding_asked import (
    FINDING_WORD,
    FindingView,
    finding_view,
    finding_word,
    threshold_performance,
)
from explorer.ui.evaluate.panels.finding_chart import finding_chart
from explorer.ui.evaluate.panels.finding_payload import (
    CalibrationPayload,
    OperatingMarkPayload,
    StepsPayload,
    calibration_payload,
    mark_payload,
    steps_payload,
)
from explorer.ui.evaluate.panels.finding_people import AboveReaderPayload, above_payload, people_notes
from explorer.ui.evaluate.panels.finding_table import finding_table
from explorer.ui.evaluate.panels.model_colors import ColorPayload, model_colors
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload


class FindingOptionPayload(TypedDict):
    """An option with its word in addresses."""

    word: str
    name: str


class FindingPanelPayload(TypedDict):
    """The panel's data; figures and marks follow the order of `models`, which `reference` is an index into.

    `word` is the address word that names the finding. `readers` are other label sources, `groups` the calls of classes
    and reviews and of their members, `people` imported readers, without thresholds. `above`: how far the reference is
    above readers, without intervals while `comparing`. `lacking` says why there is no curve: then `figure` is null.
    """

    plotly: str
    figure: Plotly | None
    finding: str
    word: str
    group: FrequencyGroup | None
    findings: list[FindingOptionPayload]
    films: int
    positives: int
    lacking: str | None
    prevalence: float | None
    weighted: bool
    models: list[ColorPayload]
    words: list[str]
    reference: int
    areas: dict[str, list[ValuePayload]]
    marks: list[list[OperatingMarkPayload]]
    readers: list[OperatingMarkPayload]
    groups: list[OperatingMarkPayload]
    people: list[OperatingMarkPayload]
    above: list[AboveReaderPayload]
    comparing: bool
    steps: StepsPayload
    calibrated: list[CalibrationPayload]
    reliability: Plotly | None
    spread: Plotly | None
    few: int


def _content(request: PanelRequest) -> PanelContent:
    found = finding_view(request)
    report, one, cohort = found.report, found.one, request.subject.chosen.cohort
    board, models = report.board, model_colors(report)
    payload: FindingPanelPayload = {
        "plotly": PLOTLY,
        "figure": None if one.no_curve_reason else finding_chart(found, models),
        "finding": one.finding,
        "word": finding_word(request),
        "group": board.groups[one.finding],
        "findings": [
            {"word": FINDING_WORD.write(cohort, board.findings[place]) or "", "name": _with_count(found, place)}
            for place in by_frequency(board)
        ],
        "films": one.positives + one.negatives,
        "positives": one.positives,
        "lacking": one.no_curve_reason,
        "prevalence": found.prevalence,
        "weighted": one.weights is not None,
        "models": models,
        "words": [model_id(cohort, name) for name in one.models],
        "reference": report.reference,
        "areas": {
            measure: values(*(part[:, found.place] for part in (figures.point, figures.low, figures.high)))
            for measure, figures in ((each, board.by_finding[each]) for each in ("AUROC", "AP"))
        },
        "marks": [list(map(mark_payload, each)) for each in found.marks],
        "readers": list(map(mark_payload, found.readers)),
        "groups": [mark_payload(mark) for group in found.groups for mark in group.marks],
        "people": list(map(mark_payload, found.people.marks)),
        "above": list(map(above_payload, found.people.above)),
        "comparing": found.people.computing,
        "steps": steps_payload(one, report.reference),
        "calibrated": list(map(calibration_payload, found.calibrated)),
        "reliability": None if one.no_curve_reason else reliability_chart(found.calibrated),
        "spread": None if one.no_curve_reason else spread_chart(*score_spreads(one, report.reference)),
        "few": FEW_POSITIVES,
    }
    words = {finding_word(request): FINDING_WORD.write(cohort, one.finding) or ""}
    head = f"{one.finding}. {board_title(report)}"
    return PanelContent(head, tuple(_notes(found)), dict(payload), found.computing, words, found.complaints)


def _table(request: PanelRequest) -> ResultTable:
    found = finding_view(request)
    chosen = threshold_performance(found) if request.state.get("at") or request.state.get("prevalence") else None
    return finding_table(found, f"{found.one.finding}. {board_title(found.report)}", tuple(_notes(found)), chosen)


def _with_count(found: FindingView, place: int) -> str:
    board = found.report.board
    positives = board.positives[place]
    return f"{board.findings[place]} ({f'{positives:,}' if positives else 'no'} positives)"


def _notes(found: FindingView) -> Iterator[str]:
    report, one = found.report, found.one
    if report.simulated:
        yield "SIMULATED films."
    if report.board.resamples:
        yield (
            f"95 % bands and intervals of AUROC and AP are percentiles of {report.board.resamples:,} exact bootstrap "
            "resamples of whole patients. Bands are pointwise, at each false positive rate or recall."
        )
    own = "the model's own" if (one.called >= 0).any() else "none of the models' own"
    yield (
        f"Thresholds: {own}; Youden's and the best F1's, which were chosen on these films, so that their results "
        "here are optimistic; and 0.5. A film is called if score >= threshold. Sensitivity and specificity have Wilson "
        "intervals that count films of one patient together; those of PPV and NPV follow at the stated prevalence."
    )
    yield (
        f"Calibrated scores are out of sample: {CALIBRATION_FOLDS} folds of patients, each with a curve fitted on the "
        f"other {CALIBRATION_FOLDS - 1}. Intervals keep the curves fixed, and are too high for ECE. ECE uses 15 bins "
        "of equal width. Scaled Brier: 1 is perfect, 0 is no better than predicting the prevalence."
    )
    if found.readers:
        yield (
            "Stars are other label sources: their labels as calls against the reference labels, on the films that both "
            "label."
        )
    if found.groups:
        yield (
            "Full stars named after a class or a review show what more than half of it called, hollow ones each "
            "learner or reader, on the films that they answered; they have numbers instead of names. Dotted lines are "
            "their certainty. Precision is drawn at the prevalence of all these films; the table counts the films they "
            "read."
        )
    if made := [group.title for group in found.groups if group.made_labels]:
        yield f"The readers of {and_list(made)} made labels that count here, so they look better than they are."
    yield from people_notes(found.people)
    if any(scale is not None for scale in one.scales):
        yield "Scores of an image-text model are margins: margin 0, whose sigmoid is 0.5, replaces 0.5."
    if one.weights is not None:
        yield "Curves weight films to natural prevalence; thresholds and counts do not."
    yield from left_out_notes(report)


FINDING_PANEL = Panel("finding", "A finding", _content, _table)
