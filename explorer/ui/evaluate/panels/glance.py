"""Six metrics at a glance: the challenge's means of one group of findings as a radar, as dots with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.leaderboard.groups import Part
from explorer.analysis.leaderboard.report import BoardReport, interval_note, left_out, threshold_note, title
from explorer.analysis.leaderboard.six_metrics import UpwardMean, six_metrics
from explorer.analysis.leaderboard.table import part_name
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.figure_words import figure_words, values
from explorer.ui.evaluate.panels.glance_chart import glance_chart
from explorer.ui.evaluate.panels.model_colors import ColorPayload, colors_of
from explorer.ui.evaluate.panels.panel import Asked, Content, Panel
from explorer.ui.evaluate.panels.part_choice import PartChoicePayload, part_asked, part_choices
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload


class MetricPayload(TypedDict):
    """A mean by model, more is better; `counted` findings are in it."""

    name: str
    counted: int
    figures: list[ValuePayload]


class GlancePayload(TypedDict):
    """What the panel draws; figures in the order of `models`, `findings` and `films` are those of the part chosen."""

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


def _content(asked: Asked) -> Content:
    report, cohort = asked.report(), asked.subject.chosen.cohort
    board = report.board
    place, words, complaints = part_asked(cohort, board.parts, asked.state)
    part, metrics, models = board.parts[place], list(six_metrics(board, place)), colors_of(report)
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
    return Content(title(report), notes, dict(payload), not board.resamples, words, complaints)


def _table(asked: Asked) -> ResultTable:
    report = asked.report()
    board = report.board
    place, _, _ = part_asked(asked.subject.chosen.cohort, board.parts, asked.state)
    part, metrics = board.parts[place], list(six_metrics(board, place))
    figures = [figure_words(each.value, each.low, each.high) for each in metrics]
    grid = TextGrid(
        f"{part_name(part)}: {len(part.members)} findings, {part.films:,} films, fewest positives {_fewest(metrics):,}",
        ("model", *(_head(each, len(part.members)) for each in metrics)),
        tuple((name, *(each[model] for each in figures)) for model, name in enumerate(board.models)),
    )
    return ResultTable(title(report), tuple(_notes(report)), (grid,), tuple(_rows(board.models, part, metrics)))


def _fewest(metrics: list[UpwardMean]) -> int:
    """Positives of the rarest finding that any of the means counts."""
    return min((each.fewest for each in metrics if each.fewest), default=0)


def _head(mean: UpwardMean, members: int) -> str:
    return mean.name if mean.counted == members else f"{mean.name} (of {mean.counted} findings)"


def _rows(models: tuple[str, ...], part: Part, metrics: list[UpwardMean]) -> Iterator[Cells]:
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
            "ECE stands as 1 \N{MINUS SIGN} ECE, so that more is better everywhere.",
            *threshold_note(board),
            "The area of a radar means nothing: it depends on the order of the metrics.",
        ]
    )
    yield from left_out(board)


GLANCE = Panel("glance", "Six metrics at a glance", _content, _table)
