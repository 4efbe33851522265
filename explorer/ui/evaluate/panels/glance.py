"""Six metrics at a glance: the challenge's means for one group of findings, as a radar and as dots with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.leaderboard.report import BoardReport, board_title, interval_note, left_out_notes, threshold_note
from explorer.analysis.leaderboard.six_metrics import OrientedMean, six_metrics
from explorer.analysis.leaderboard.table import part_name
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.figure_words import figure_words, values
from explorer.ui.evaluate.panels.glance_chart import glance_chart
from explorer.ui.evaluate.panels.model_colors import ColorPayload, model_colors
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.part_choice import PartChoicePayload, part_choices, requested_part
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload


class MetricPayload(TypedDict):
    """Each model's mean over `counted` findings; larger is better."""

    name: str
    counted: int
    figures: list[ValuePayload]


class GlancePayload(TypedDict):
    """The panel's data; figures follow the order of `models`; `findings` and `films` belong to the chosen part."""

    plotly: str
    figure: Plotly
    parts: list[PartChoicePayload]
    part: PartChoicePayload
    findings: int
    films: int
    fewest: int
    few: int
    models: list[ColorPayload]
    metrics: list[MetricPayload]


def _content(request: PanelRequest) -> PanelContent:
    report, cohort = request.report(), request.subject.chosen.cohort
    board = report.board
    place, words, complaints = requested_part(cohort, board.parts, request.state)
    part, metrics, models = board.parts[place], list(six_metrics(board, place)), model_colors(report)
    choices = part_choices(cohort, board.parts)
    payload: GlancePayload = {
        "plotly": PLOTLY,
        "figure": glance_chart(metrics, models),
        "parts": choices,
        "part": choices[place],
        "findings": len(part.members),
        "films": part.films,
        "fewest": _fewest(metrics),
        "few": FEW_POSITIVES,
        "models": models,
        "metrics": [
            {"name": each.name, "counted": each.counted, "figures": values(each.value, each.low, each.high)}
            for each in metrics
        ],
    }
    notes = tuple(_notes(report))
    return PanelContent(board_title(report), notes, dict(payload), not board.resamples, words, complaints)


def _table(request: PanelRequest) -> ResultTable:
    report = request.report()
    board = report.board
    place, _, _ = requested_part(request.subject.chosen.cohort, board.parts, request.state)
    part, metrics = board.parts[place], list(six_metrics(board, place))
    figures = [figure_words(each.value, each.low, each.high) for each in metrics]
    grid = TextGrid(
        f"{part_name(part)}: {len(part.members)} findings, {part.films:,} films, fewest positives {_fewest(metrics):,}",
        ("model", *(_head(each, len(part.members)) for each in metrics)),
        tuple((name, *(each[model] for each in figures)) for model, name in enumerate(board.models)),
    )
    return ResultTable(board_title(report), tuple(_notes(report)), (grid,), tuple(_rows(board.models, part, metrics)))


def _fewest(metrics: list[OrientedMean]) -> int:
    """Return the positives of the rarest finding that any mean counts."""
    return min((each.fewest for each in metrics if each.fewest), default=0)


def _head(mean: OrientedMean, members: int) -> str:
    return mean.name if mean.counted == members else f"{mean.name} (of {mean.counted} findings)"


def _rows(models: tuple[str, ...], part: BoardPart, metrics: list[OrientedMean]) -> Iterator[Cells]:
    for model, name in enumerate(models):
        for each in metrics:
            yield {
                "model": name,
                "findings": part.name,
                "center": part.center,
                "films": part.films,
                "fewest_positives": each.fewest,
                "metric": each.name.replace("\N{MINUS SIGN}", "-"),
                "counted_findings": each.counted,
                "value": or_none(each.value[model]),
                "ci_low": or_none(each.low[model]),
                "ci_high": or_none(each.high[model]),
            }


def _notes(report: BoardReport) -> Iterator[str]:
    board = report.board
    if report.simulated:
        yield "SIMULATED films."
    if board.resamples:
        yield interval_note(board.resamples)
    yield " ".join(
        [
            "ECE is shown as 1 \N{MINUS SIGN} ECE, so that larger is always better.",
            *threshold_note(board),
            "The area of the radar has no meaning: it depends on the order of the metrics.",
        ]
    )
    yield from left_out_notes(report)


GLANCE_PANEL = Panel("glance", "Six metrics at a glance", _content, _table, listed=False)
