"""Head to tail: a metric by finding from the most frequent to the rarest, and the gaps between groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.analysis.comparisons.head_to_tail import by_frequency, group_gaps, imbalance
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_title, interval_note, left_out_notes
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import difference_text
from explorer.core.findings import FrequencyGroup
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.figure_words import figure_words, value_words, values
from explorer.ui.evaluate.panels.model_colors import ColorPayload, model_colors
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.tail_chart import TailLine, tail_chart
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload, bounds_payload

TAIL_MEASURES: tuple[BoardMeasure, ...] = ("AP", "AUROC")  # threshold-free


class TailFindingPayload(TypedDict):
    """A finding with its films, positives, imbalance `ratio` to the most frequent finding, and figures by model."""

    finding: str
    group: FrequencyGroup | None
    films: int
    positives: int
    ratio: float | None
    figures: list[ValuePayload]


class MeanPayload(TypedDict):
    """Each model's mean over a group of findings.

    `films` have a known label; the rarest finding has `fewest` positives.
    """

    name: str
    findings: int
    films: int
    fewest: int
    figures: list[ValuePayload]


class GroupGapPayload(TypedDict):
    """One group's mean minus another's, by model.

    `findings` are counted in each group; the rarest finding has `fewest` positives.
    """

    name: str
    findings: tuple[int, int]
    fewest: int
    figures: list[ValuePayload]


class TailPayload(TypedDict):
    """The panel's data; figures are in the order of `models`."""

    plotly: str
    figure: Plotly
    measure: BoardMeasure
    mean: str
    measures: list[dict[str, str]]
    models: list[ColorPayload]
    findings: list[TailFindingPayload]
    means: list[MeanPayload]
    gaps: list[GroupGapPayload]
    few: int


def _content(request: PanelRequest) -> PanelContent:
    report, measure = request.report(), _measure(request)
    board = report.board
    figures = board.by_finding[measure]
    ratios, places = imbalance(board), by_frequency(board)
    models = model_colors(report)
    lines = [
        TailLine(name, board.groups[name], board.known[place], board.positives[place], ratios[place])
        for place, name in ((place, board.findings[place]) for place in places)
    ]
    payload: TailPayload = {
        "plotly": PLOTLY,
        "figure": tail_chart(lines, measure, models, figures.of(places)),
        "measure": measure,
        "mean": MEAN_NAMES[measure],
        "measures": [{"word": each.lower(), "name": each} for each in TAIL_MEASURES],
        "models": models,
        "findings": [
            {
                "finding": line.finding,
                "group": line.group,
                "films": line.films,
                "positives": line.positives,
                "ratio": line.ratio,
                "figures": values(figures.point[:, place], figures.low[:, place], figures.high[:, place]),
            }
            for line, place in zip(lines, places, strict=True)
        ],
        "means": list(_means(board, measure)),
        "gaps": [
            {
                "name": each.name,
                "findings": each.findings,
                "fewest": each.fewest,
                "figures": values(each.value, each.low, each.high),
            }
            for each in group_gaps(board, measure)
        ],
        "few": FEW_POSITIVES,
    }
    return PanelContent(board_title(report), tuple(_notes(report)), dict(payload), computing=not board.resamples)


def _means(board: Board, measure: BoardMeasure) -> Iterator[MeanPayload]:
    """Yield the group means over the films of all centers."""
    for place, part in enumerate(board.parts):
        if part.center is None:
            means = board.means[place, measure]
            points = enumerate(means.point)
            yield {
                "name": part.name,
                "findings": len(means.counted),
                "films": part.films,
                "fewest": board.fewest(place, measure),
                "figures": [
                    {"value": or_none(value), **bounds_payload(means.interval(model))} for model, value in points
                ],
            }


def _table(request: PanelRequest) -> ResultTable:
    report, measure = request.report(), _measure(request)
    board, figures, ratios = report.board, report.board.by_finding[measure], imbalance(report.board)
    rows: list[Cells] = [
        {
            "finding": board.findings[place],
            "frequency_group": board.groups[board.findings[place]],
            "films": board.known[place],
            "positives": board.positives[place],
            "imbalance_ratio": ratios[place],
            "model": name,
            "metric": measure,
            "value": or_none(figures.point[model, place]),
            "ci_low": or_none(figures.low[model, place]),
            "ci_high": or_none(figures.high[model, place]),
        }
        for place in by_frequency(board)
        for model, name in enumerate(board.models)
    ]
    findings = tuple(
        (
            board.findings[place],
            board.groups[board.findings[place]] or "",
            f"{board.positives[place]:,} of {board.known[place]:,}",
            *figure_words(figures.point[:, place], figures.low[:, place], figures.high[:, place]),
        )
        for place in by_frequency(board)
    )
    differences = tuple(
        (each.name, *map(difference_text, each.value, each.low, each.high)) for each in group_gaps(board, measure)
    )
    grids = [TextGrid(f"{measure} by finding", ("finding", "group", "n+ of n", *board.models), findings)]
    header = ("group", "findings", "n", "n+ from", *board.models)
    means = tuple(map(_mean_words, _means(board, measure)))
    grids.append(TextGrid(f"{MEAN_NAMES[measure]} by group of findings", header, means))
    if differences:
        grids.append(TextGrid(f"differences of {MEAN_NAMES[measure]}", ("difference", *board.models), differences))
    return ResultTable(board_title(report), tuple(_notes(report)), tuple(grids), tuple(rows))


def _mean_words(mean: MeanPayload) -> tuple[str, ...]:
    figures = map(value_words, mean["figures"])
    return (mean["name"], str(mean["findings"]), f"{mean['films']:,}", f"{mean['fewest']:,}", *figures)


def _measure(request: PanelRequest) -> BoardMeasure:
    """Return the address's metric if it is threshold-free, else AP."""
    return request.subject.measure if request.subject.measure in TAIL_MEASURES else "AP"


def _notes(report: BoardReport) -> Iterator[str]:
    board = report.board
    if report.simulated:
        yield "SIMULATED films."
    yield "Findings are sorted from the most frequent group to the rarest, within a group by positives on these films."
    if board.resamples:
        yield interval_note(board.resamples)
    yield from left_out_notes(report)


HEAD_TO_TAIL_PANEL = Panel("tail", "Head to tail", _content, _table)
