"""Threshold's price: F1 at 0.5, at each model's own thresholds and at the best ones, by finding and on average."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypedDict

from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.comparisons.threshold_price import (
    THRESHOLD_CHOICES,
    ThresholdPrices,
    price_thresholds,
    threshold_prices,
)
from explorer.analysis.leaderboard.groups import seen_name
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import BoardReport, board_title, left_out_notes
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import NO_POSITIVES, share_text
from explorer.core.findings import TASKS
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.metrics.joint_means import JointMeans
from explorer.published import TABLES, published
from explorer.ui.evaluate.panels.figure_words import difference_words, figure_words, value_words, values
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.model_colors import ColorPayload, model_colors
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.price_chart import CHOICE_NAMES, price_chart
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload


class MeansPayload(TypedDict):
    """Means over a group of findings by threshold choice and model, and the losses at 0.5 and at own thresholds.

    `fewest` is the number of positives of the rarest counted finding.
    """

    name: str
    counted: int
    fewest: int
    figures: list[list[ValuePayload]]
    lost: list[list[ValuePayload]]


class PriceFindingPayload(TypedDict):
    """A finding with the reference's F1 by threshold choice, and its best threshold, null if undefined."""

    finding: str
    films: int
    positives: int
    best: float | None
    figures: list[ValuePayload]


class PricePayload(TypedDict):
    """The panel's data; figures are in the order of `places`, then of `models`; `reference` is an index of models."""

    plotly: str
    figure: Plotly
    why: str
    places: list[str]
    models: list[ColorPayload]
    words: list[str]
    reference: int
    means: list[MeansPayload]
    findings: list[PriceFindingPayload]
    few: int


def _content(request: PanelRequest) -> PanelContent:
    report, found = request.report(), _prices(request)
    board, reference, order = report.board, report.reference, by_frequency(report.board)
    payload: PricePayload = {
        "plotly": PLOTLY,
        "figure": price_chart(found, reference, board.findings, board.positives, order),
        "why": ranking_versus_calls_note(),
        "places": [CHOICE_NAMES[place] for place in THRESHOLD_CHOICES],
        "models": model_colors(report),
        "words": [model_id(request.subject.chosen.cohort, name) for name in board.models],
        "reference": reference,
        "means": [_means(found, board, name, means) for name, means in _groups(found, board.findings)],
        "findings": [
            {
                "finding": board.findings[place],
                "films": board.known[place],
                "positives": board.positives[place],
                "best": or_none(found.best[reference, place]),
                "figures": values(*(part[:, reference, place] for part in (found.points, found.low, found.high))),
            }
            for place in order
        ],
        "few": FEW_POSITIVES,
    }
    return PanelContent(board_title(report), tuple(_notes(report)), dict(payload), computing=not found.resamples)


def ranking_versus_calls_note() -> str:
    """Return why AP does not predict F1, citing the teams of CXR-LT 2026 that ranked first by each."""
    printed = [each for each in published("main") if (each.task, each.images) == ("task1", "original")]
    figures = {(each.team, each.metric): each.value for each in printed}
    teams = {team for team, _ in figures}
    ranked, called = (max(teams, key=lambda team: figures[team, metric]) for metric in ("mAP", "F1"))
    ranks, calls = (
        f"team {team} has mAP {share_text(figures[team, 'mAP'], 3)} and F1 {share_text(figures[team, 'F1'], 3)}"
        for team in (ranked, called)
    )
    return (
        "A model can rank films well and still call them badly, because ranking needs no threshold: in CXR-LT 2026, "
        f"{ranks}, {calls} ({TABLES['main'].source}, another test set)."
    )


def _prices(request: PanelRequest) -> ThresholdPrices:
    """Return the prices, with intervals if they are ready; otherwise start computing them."""
    store, subject = request.services.store, request.subject

    def prepare() -> Callable[[int, int], ThresholdPrices]:
        return partial(price_thresholds, joint_scores(store, subject.chosen, subject.models), natural=subject.natural)

    whole = in_background(request, ("prices",), prepare)
    return whole or threshold_prices(store, subject.chosen, subject.models, natural=subject.natural)


def _groups(found: ThresholdPrices, findings: Sequence[str]) -> Iterator[tuple[str, JointMeans]]:
    seen = seen_name([each for each in findings if each not in TASKS["unseen"]])
    for name, means in ((seen, found.seen), ("unseen findings", found.unseen)):
        if means is not None:
            yield name, means


def _means(found: ThresholdPrices, board: Board, name: str, means: JointMeans) -> MeansPayload:
    ends = [means.interval(column) or (None, None) for column in range(len(means.point))]
    each: list[ValuePayload] = [
        {"value": or_none(value), "low": low, "high": high}
        for value, (low, high) in zip(means.point, ends, strict=True)
    ]
    models = found.points.shape[1]
    return {
        "name": name,
        "counted": len(means.counted),
        "fewest": min((board.positives[place] for place in means.counted), default=0),
        "figures": [each[place * models : (place + 1) * models] for place in range(len(THRESHOLD_CHOICES))],
        "lost": [values(*found.lost(means, place)) for place in THRESHOLD_CHOICES if place != "best"],
    }


def _notes(report: BoardReport) -> Iterator[str]:
    if report.simulated:
        yield "SIMULATED films."
    yield (
        "The best threshold has the largest F1 on these films; calling all films is one choice. No model knows it "
        "beforehand, so its F1 here is optimistic, more so with fewer positives."
    )
    yield "At 0.5: a score of 0.5 or more; for an image-text model a margin of 0 or more, whose sigmoid is 0.5."
    if report.board.resamples:
        yield (
            f"95 % intervals are percentiles of {report.board.resamples:,} exact bootstrap resamples of whole "
            "patients, with fixed thresholds; differences are paired."
        )
    yield "Means are over findings with an F1 for every model at every threshold, which needs positives."
    if report.natural:
        yield "Films are weighted to natural prevalence; n counts films."
    yield from left_out_notes(report)


def _table(request: PanelRequest) -> ResultTable:
    report, found = request.report(), _prices(request)
    board, order = report.board, by_frequency(report.board)
    grids = [_means_grid(report, found, name, means) for name, means in _groups(found, report.board.findings)]
    for model, name in enumerate(board.models):
        lines = []
        for place in order:
            figures = figure_words(*(part[:, model, place] for part in (found.points, found.low, found.high)))
            counts = f"{board.positives[place]:,} of {board.known[place]:,}"
            shown = figures if board.positives[place] else [NO_POSITIVES] * len(THRESHOLD_CHOICES)
            lines.append((board.findings[place], counts, *shown))
        header = ("finding", "n+ of n", *(f"F1 {CHOICE_NAMES[place]}" for place in THRESHOLD_CHOICES))
        grids.append(TextGrid(f"{name}: F1 by finding", header, tuple(lines)))
    return ResultTable(
        board_title(report), (ranking_versus_calls_note(), *_notes(report)), tuple(grids), tuple(_rows(report, found))
    )


def _means_grid(report: BoardReport, found: ThresholdPrices, name: str, means: JointMeans) -> TextGrid:
    models = len(report.board.models)
    payload = _means(found, report.board, name, means)
    columns = [[value_words(figure) for figure in of_place] for of_place in payload["figures"]]
    columns += [[difference_words(figure) for figure in of_place] for of_place in payload["lost"]]
    header = ("model", *(f"mF1 {CHOICE_NAMES[place]}" for place in THRESHOLD_CHOICES), "lost at 0.5", "lost at the own")
    rows = tuple((report.board.models[model], *(column[model] for column in columns)) for model in range(models))
    return TextGrid(f"{name}: means over {len(means.counted)} findings, n+ from {payload['fewest']:,}", header, rows)


def _rows(report: BoardReport, found: ThresholdPrices) -> Iterator[Cells]:
    board = report.board
    for finding in by_frequency(board):
        for model, name in enumerate(board.models):
            for place, at in enumerate(THRESHOLD_CHOICES):
                yield {
                    "finding": board.findings[finding],
                    "frequency_group": board.groups[board.findings[finding]],
                    "films": board.known[finding],
                    "positives": board.positives[finding],
                    "model": name,
                    "threshold": at,
                    "best_threshold": or_none(found.best[model, finding]),
                    "metric": "F1",
                    "value": or_none(found.points[place, model, finding]),
                    "ci_low": or_none(found.low[place, model, finding]),
                    "ci_high": or_none(found.high[place, model, finding]),
                }


PRICE_PANEL = Panel("price", "Threshold's price", _content, _table)
