"""Writes A finding as a table: areas under each model's curves, and performance at its thresholds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.one_finding.scores import OperatingMark
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import NO_NEGATIVES, NO_POSITIVES, rate_text, share_text, significant
from explorer.core.rates import Rate
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.calibration_chart import CALIBRATION_NAMES
from explorer.ui.evaluate.panels.figure_words import figure_words
from explorer.ui.evaluate.panels.finding_asked import FindingView, ThresholdPerformance
from explorer.ui.evaluate.panels.finding_people import above_grid, above_rows

_AREAS: tuple[BoardMeasure, ...] = ("AUROC", "AP")
_HEADER = ("model", "threshold", "at", "TP", "FP", "FN", "TN", "sensitivity", "specificity", "precision", "F1")


def finding_table(
    found: FindingView, title: str, notes: tuple[str, ...], chosen: ThresholdPerformance | None
) -> ResultTable:
    """Return the table; `chosen` is the reference's hand-picked threshold."""
    readers = tuple(_readers(found))
    grids = _areas(found), _thresholds(found, chosen), *readers, _calibration(found)
    return ResultTable(title, notes, grids, tuple(_rows(found, chosen)))


def _areas(found: FindingView) -> TextGrid:
    board, lacking = found.report.board, found.one.no_curve_reason
    columns = [
        figure_words(*(part[:, found.place] for part in (each.point, each.low, each.high)))
        for each in (board.by_finding[measure] for measure in _AREAS)
    ]
    rows = tuple(
        (name, *(lacking or each for each in line)) for name, *line in zip(board.models, *columns, strict=True)
    )
    films, positives = found.one.positives + found.one.negatives, found.one.positives
    return TextGrid(f"{found.one.finding}: {positives:,} of {films:,} films with it", ("model", *_AREAS), rows)


def _thresholds(found: FindingView, chosen: ThresholdPerformance | None) -> TextGrid:
    return TextGrid("thresholds", _HEADER, tuple((name, *_words(mark)) for name, mark in _all_marks(found, chosen)))


def _readers(found: FindingView) -> Iterator[TextGrid]:
    members = [mark for group in found.groups for mark in group.marks]
    for title, who, marks in (
        ("other sources of labels", "source", found.readers),
        ("classes and reviews", "reader", members),
        ("imported readers", "reader", found.people.marks),
    ):
        if marks:
            yield TextGrid(title, (who, *_HEADER[3:]), tuple((mark.name, *_counts(mark)) for mark in marks))
    if found.people.above:
        yield above_grid(found.people, found.one.models[found.report.reference])


def _calibration(found: FindingView) -> TextGrid:
    ends = [np.array([getattr(each, name) for each in found.calibrated]).T for name in ("ece", "brier")]
    columns = [figure_words(*each) for each in ends]
    rows = tuple(
        (CALIBRATION_NAMES[each.kind], *(each.reason or words for words in line))
        for each, *line in zip(found.calibrated, *columns, strict=True)
    )
    return TextGrid(
        f"calibration of {found.one.models[found.report.reference]}", ("scores", "ECE", "scaled Brier"), rows
    )


def _all_marks(found: FindingView, chosen: ThresholdPerformance | None) -> list[tuple[str, OperatingMark]]:
    models = found.one.models
    every = [(name, mark) for name, marks in zip(models, found.marks, strict=True) for mark in marks]
    return every if chosen is None else [*every, (models[found.report.reference], chosen.mark)]


def _words(mark: OperatingMark) -> tuple[str, ...]:
    name = f"{mark.name} (these films)" if mark.in_sample else mark.name
    if mark.low is None or mark.high is None:
        return name, mark.reason or "", *[""] * (len(_HEADER) - 3)
    place = " to ".join(significant(each) for each in dict.fromkeys((mark.low, mark.high)))
    return name, place, *_counts(mark)


def _counts(mark: OperatingMark) -> tuple[str, ...]:
    sensitivity, specificity = mark.point
    counts = sensitivity.hits, specificity.rest.hits, sensitivity.rest.hits, specificity.hits
    f1 = NO_POSITIVES if mark.f1 is None else share_text(mark.f1, 3)
    return (
        *(f"{each:,}" for each in counts),
        rate_text(sensitivity, NO_POSITIVES, digits=3),
        rate_text(specificity, NO_NEGATIVES, digits=3),
        rate_text(mark.precision, "nothing called", digits=3),
        f1,
    )


def _rows(found: FindingView, chosen: ThresholdPerformance | None) -> Iterator[Cells]:
    one = found.one
    about: Cells = {"finding": one.finding, "films": one.positives + one.negatives, "positives": one.positives}
    blank = _row(None, None, "", None, None, None, None)
    for row in (*_area_rows(found), *_mark_rows(found, chosen), *_worth_rows(found, chosen), *_calibration_rows(found)):
        yield about | row
    for row in above_rows(found.people, one.models[found.report.reference]):
        yield about | blank | row


def _area_rows(found: FindingView) -> Iterator[Cells]:
    board = found.report.board
    for measure in _AREAS:
        figures = board.by_finding[measure]
        for model, name in enumerate(board.models):
            ends = [or_none(part[model, found.place]) for part in (figures.point, figures.low, figures.high)]
            yield _row(name, None, measure, None, *ends)


def _mark_rows(found: FindingView, chosen: ThresholdPerformance | None) -> Iterator[Cells]:
    for name, mark in _all_marks(found, chosen):
        yield from _rates(name, mark, mark)
    members = (mark for group in found.groups for mark in group.marks)
    for reader in (*found.readers, *members, *found.people.marks):
        for row in _rates(None, None, reader):
            yield row | {"source": reader.name}


def _rates(model: str | None, mark: OperatingMark | None, calls: OperatingMark) -> Iterator[Cells]:
    for metric, rate in {**calls.point._asdict(), "precision": calls.precision}.items():
        yield _row(model, mark, metric, rate, rate.value, *(rate.interval or (None, None)))
    yield _row(model, mark, "F1", None, calls.f1, None, None)


def _worth_rows(found: FindingView, chosen: ThresholdPerformance | None) -> Iterator[Cells]:
    if chosen is None or chosen.values is None:
        return
    for metric, value in (("PPV", chosen.values.ppv), ("NPV", chosen.values.npv)):
        figures = (None, None, None) if value is None else (value.value, *value.interval)
        name = f"{metric} at prevalence {significant(chosen.values.prevalence)}"
        yield _row(found.one.models[found.report.reference], chosen.mark, name, None, *figures)


def _calibration_rows(found: FindingView) -> Iterator[Cells]:
    model = found.one.models[found.report.reference]
    for kind in found.calibrated:
        for metric, (value, low, high) in (("ECE", kind.ece), ("scaled Brier", kind.brier)):
            name = f"{metric}, {CALIBRATION_NAMES[kind.kind]}"
            yield _row(model, None, name, None, or_none(value), or_none(low), or_none(high))


def _row(
    model: str | None,
    mark: OperatingMark | None,
    metric: str,
    rate: Rate | None,
    value: float | None,
    low: float | None,
    high: float | None,
) -> Cells:
    return {
        "model": model,
        "source": None,
        "threshold": None if mark is None else mark.name,
        "threshold_low": None if mark is None else mark.low,
        "threshold_high": None if mark is None else mark.high,
        "metric": metric,
        "hits": None if rate is None else rate.hits,
        "n": None if rate is None else rate.n,
        "value": value,
        "ci_low": low,
        "ci_high": high,
    }
