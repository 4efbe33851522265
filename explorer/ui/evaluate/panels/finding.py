"""A finding: ROC and precision-recall curves of the models, and what each threshold of one of them is worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.leaderboard.report import left_out, title
from explorer.analysis.one_finding.calibration import FOLDS
from explorer.analysis.one_finding.score_spread import spreads
from explorer.core.findings import FrequencyGroup
from explorer.core.result_table import ResultTable
from explorer.ui.evaluate.panels.calibration_chart import reliability_chart, spread_chart
from explorer.ui.evaluate.panels.figure_words import values
from explorer.ui.evaluate.panels.finding_asked import (
    WORD,
    AskedFinding,
    finding_asked,
    finding_word,
    worth_of_threshold,
)
from explorer.ui.evaluate.panels.finding_chart import finding_chart
from explorer.ui.evaluate.panels.finding_payload import (
    CalibratedPayload,
    MarkPayload,
    StepsPayload,
    calibrated_payload,
    mark_payload,
    steps_payload,
)
from explorer.ui.evaluate.panels.finding_table import finding_table
from explorer.ui.evaluate.panels.model_colors import ColorPayload, colors_of
from explorer.ui.evaluate.panels.panel import Asked, Content, Panel
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload


class ChoosePayload(TypedDict):
    """Something to choose, by its word in addresses."""

    word: str
    name: str


class FindingPayload(TypedDict):
    """What the panel draws; `models` in the order of the figures and the marks, `reference` a place among them. `word`
    is the address's for the finding.

    `readers` are other sources of labels, `classes` what classes and their learners called, without a threshold.
    `lacking` says why there is no curve, null where there is one; `figure` is null with it.
    """

    plotly: str
    figure: Plotly | None
    finding: str
    word: str
    group: FrequencyGroup | None
    findings: list[ChoosePayload]
    films: int
    positives: int
    lacking: str | None
    prevalence: float | None
    weighted: bool
    models: list[ColorPayload]
    words: list[str]
    reference: int
    areas: dict[str, list[ValuePayload]]
    marks: list[list[MarkPayload]]
    readers: list[MarkPayload]
    classes: list[MarkPayload]
    steps: StepsPayload
    calibrated: list[CalibratedPayload]
    reliability: Plotly | None
    spread: Plotly | None
    few: int


def _content(asked: Asked) -> Content:
    found = finding_asked(asked)
    report, one, cohort = found.report, found.one, asked.subject.chosen.cohort
    board, models = report.board, colors_of(report)
    payload: FindingPayload = {
        "plotly": PLOTLY,
        "figure": None if one.lacking else finding_chart(found, models),
        "finding": one.finding,
        "word": finding_word(asked),
        "group": board.groups[one.finding],
        "findings": [
            {"word": WORD.write(cohort, board.findings[place]) or "", "name": _with_count(found, place)}
            for place in by_frequency(board)
        ],
        "films": one.positives + one.negatives,
        "positives": one.positives,
        "lacking": one.lacking,
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
        "classes": [mark_payload(mark) for held in found.classes for mark in held.marks],
        "steps": steps_payload(one, report.reference),
        "calibrated": list(map(calibrated_payload, found.calibrated)),
        "reliability": None if one.lacking else reliability_chart(found.calibrated),
        "spread": None if one.lacking else spread_chart(*spreads(one, report.reference)),
        "few": FEW_POSITIVES,
    }
    words = {finding_word(asked): WORD.write(cohort, one.finding) or ""}
    head = f"{one.finding}. {title(report)}"
    return Content(head, tuple(_notes(found)), dict(payload), found.computing, words, found.complaints)


def _table(asked: Asked) -> ResultTable:
    found = finding_asked(asked)
    chosen = worth_of_threshold(found) if asked.state.get("at") or asked.state.get("prevalence") else None
    return finding_table(found, f"{found.one.finding}. {title(found.report)}", tuple(_notes(found)), chosen)


def _with_count(found: AskedFinding, place: int) -> str:
    board = found.report.board
    positives = board.positives[place]
    return f"{board.findings[place]} ({f'{positives:,}' if positives else 'no'} positives)"


def _notes(found: AskedFinding) -> Iterator[str]:
    report, one = found.report, found.one
    if report.simulated:
        yield "SIMULATED films."
    if report.board.resamples:
        yield (
            f"Bands and intervals of AUROC and AP are 95 %: percentiles of {report.board.resamples:,} exact bootstrap "
            "resamples of whole patients. A band is pointwise: at each false positive rate, at each recall."
        )
    own = "the model's own" if (one.called >= 0).any() else "no model here has one of its own"
    yield (
        f"Thresholds: {own}; Youden's and the best F1's, chosen on these very films, so that what they reach "
        "here is optimistic; and 0.5. Called is score >= threshold; intervals of sensitivity and specificity are "
        "Wilson's, as if no patient had two films; those of PPV and NPV follow from them at the stated prevalence."
    )
    yield (
        f"Calibrated scores are out of sample: {FOLDS} folds of patients, each by a curve fitted on the other "
        f"{FOLDS - 1}; intervals hold the curves fixed, and sit too high for ECE. ECE: 15 bins of equal width; scaled "
        "Brier: 1 is perfect, 0 no better than the prevalence as every score."
    )
    if found.readers:
        yield (
            "Stars are other sources of labels: what each calls present, against the labels that count, on the films "
            "that both label."
        )
    if found.classes:
        yield (
            "Full stars with a class's title are what more than half of it called, hollow ones its learners, each on "
            "the films that were asked and answered; learners have numbers, not names."
        )
    if any(scale is not None for scale in one.scales):
        yield "The scores of an image-text model are margins: for 0.5 stands margin 0, whose sigmoid is 0.5."
    if one.weights is not None:
        yield "Curves count each film as often as nature has one like it; thresholds and counts are by films."
    yield from left_out(report.board)


FINDING = Panel("finding", "A finding", _content, _table)
