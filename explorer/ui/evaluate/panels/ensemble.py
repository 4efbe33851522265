"""Ensemble: the mean of the chosen models, and its gain over the best of them and over the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from explorer.analysis.ensembles.ensemble import MEAN_KINDS, MeanKind, ensemble_board
from explorer.analysis.ensembles.ensemble_gain import EnsembleGain, ensemble_gains
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_title, interval_note, left_out_notes
from explorer.analysis.leaderboard.table import part_name
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, difference_text, estimate_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import and_list
from explorer.ui.evaluate.panels.gain_chart import gain_chart
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.panel_words import ValuePayload

MEAN_WORD = "mean"
ENSEMBLE_MEASURES: tuple[BoardMeasure, ...] = (
    "AP",
    "AUROC",
    "ECE",
)  # threshold-free: an unsaved ensemble has no thresholds


class GainPayload(TypedDict):
    """The ensemble, its best member (named `best`) and the reference for one group of findings, and the gains."""

    name: str
    center: str | None
    findings: int
    films: int
    fewest: int
    best: str | None
    ensemble: ValuePayload
    of_best: ValuePayload
    of_reference: ValuePayload
    over_best: ValuePayload
    over_reference: ValuePayload


class EnsemblePayload(TypedDict):
    """The panel's data; `gains` are by part; `mean_name` names the mean metric, `mean` the kind of ensemble."""

    plotly: str
    figure: Plotly
    measure: BoardMeasure
    mean_name: str
    measures: list[dict[str, str]]
    mean: MeanKind
    means: list[dict[str, str]]
    members: list[str]
    reference: str
    gains: list[GainPayload]


@dataclass(frozen=True, slots=True)
class _PanelData:
    """Everything that the panel shows."""

    report: BoardReport
    board: Board  # of the ensemble alone
    mean: MeanKind
    measure: BoardMeasure
    gains: list[EnsembleGain]
    complaints: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return bool(self.board.resamples and self.report.board.resamples)


def mean_kind_of(state: LinkState) -> tuple[MeanKind, tuple[str, ...]]:
    """Return the kind of mean that the address names, and a complaint if it is unknown."""
    sent = state.get(MEAN_WORD)
    found = next((each for each in MEAN_KINDS if each == sent), None)
    if found is None and sent:
        return MEAN_KINDS[0], ("The link names a mean that is not among these. It was ignored.",)
    return found or MEAN_KINDS[0], ()


def _panel_data(request: PanelRequest) -> _PanelData:
    report, subject, services = request.report(), request.subject, request.services
    mean, complaints = mean_kind_of(request.state)
    measure: BoardMeasure = subject.measure if subject.measure in ENSEMBLE_MEASURES else "AP"
    members = (subject.chosen, subject.models, mean)
    natural, minimum = subject.natural, subject.minimum
    points = ensemble_board(services.store, *members, natural=natural, minimum=minimum)
    board = services.intervals.ensemble(*members, natural=natural, minimum=minimum) or points
    gains = list(ensemble_gains(board, report.board, report.reference, measure))
    return _PanelData(report, board, mean, measure, gains, complaints)


def _content(request: PanelRequest) -> PanelContent:
    found = _panel_data(request)
    report, board = found.report, found.report.board
    reference = board.models[report.reference]
    payload: EnsemblePayload = {
        "plotly": PLOTLY,
        "figure": gain_chart(found.gains, list(map(part_name, board.parts)), MEAN_NAMES[found.measure], reference),
        "measure": found.measure,
        "mean_name": MEAN_NAMES[found.measure],
        "measures": [{"word": each.lower(), "name": each} for each in ENSEMBLE_MEASURES],
        "mean": found.mean,
        "means": [{"word": each, "name": each} for each in MEAN_KINDS],
        "members": list(board.models),
        "reference": reference,
        "gains": [_gain(each, board, found.measure) for each in found.gains],
    }
    words = {} if found.mean == MEAN_KINDS[0] else {MEAN_WORD: found.mean}
    return PanelContent(
        board_title(report), tuple(_notes(found)), dict(payload), not found.complete, words, found.complaints
    )


def _gain(gain: EnsembleGain, board: Board, measure: BoardMeasure) -> GainPayload:
    part = board.parts[gain.part]
    return {
        "name": part.name,
        "center": part.center,
        "findings": len(part.members),
        "films": part.films,
        "fewest": board.fewest(gain.part, measure),
        "best": None if gain.best is None else board.models[gain.best],
        "ensemble": _value(gain.ensemble),
        "of_best": _value(gain.of_best),
        "of_reference": _value(gain.of_reference),
        "over_best": _value(gain.over_best),
        "over_reference": _value(gain.over_reference),
    }


def _value(figure: Estimate) -> ValuePayload:
    return {"value": or_none(figure.value), "low": or_none(figure.low), "high": or_none(figure.high)}


def _table(request: PanelRequest) -> ResultTable:
    found = _panel_data(request)
    board, reference = found.report.board, found.report.board.models[found.report.reference]
    metric, parts = MEAN_NAMES[found.measure], board.parts
    header = ("findings", "n", "fewest n+", metric, "best member", "less the best", f"less {reference}")
    rows = tuple(
        (
            part_name(parts[each.part]),
            f"{parts[each.part].films:,}",
            f"{board.fewest(each.part, found.measure):,}",
            estimate_text(each.ensemble),
            "" if each.best is None else f"{board.models[each.best]} {estimate_text(each.of_best)}",
            _difference(each.over_best),
            _difference(each.over_reference),
        )
        for each in found.gains
    )
    grid = TextGrid(f"{metric} of the mean of {found.mean} of {and_list(list(board.models))}", header, rows)
    return ResultTable(board_title(found.report), tuple(_notes(found)), (grid,), tuple(_rows(found, reference)))


def _rows(found: _PanelData, reference: str) -> Iterator[Cells]:
    board = found.report.board
    for each in found.gains:
        part = board.parts[each.part]
        yield {
            "findings": part.name,
            "center": part.center,
            "films": part.films,
            "fewest_positives": board.fewest(each.part, found.measure),
            "members": ", ".join(board.models),
            "mean_of": found.mean,
            "metric": MEAN_NAMES[found.measure],
            **_cells("value", each.ensemble),
            "best_member": None if each.best is None else board.models[each.best],
            **_cells("over_best", each.over_best),
            "reference": reference,
            **_cells("over_reference", each.over_reference),
        }


def _difference(gain: Estimate) -> str:
    return difference_text(gain.value, gain.low, gain.high)


def _cells(name: str, figure: Estimate) -> Cells:
    ends = zip((name, f"{name}_low", f"{name}_high"), (figure.value, figure.low, figure.high), strict=True)
    return {column: or_none(each) for column, each in ends}


_MEANINGS: dict[MeanKind, Sequence[str]] = {
    "scores": (
        "Each film's score is the mean of the members' scores; image-text models contribute sigmoid(scale * margin).",
    ),
    "logits": (
        "Each film's score is the sigmoid of the members' mean logit; scores of 0 and 1 are moved inward by 1e-6.",
    ),
    "ranks": (
        "Each film's score is the mean of its ranks, from 0 to 1, among all films of the cohort that every member "
        "scored; tied films share a rank.",
        "A rank is not a probability, so its ECE is meaningless.",
    ),
}


def _notes(found: _PanelData) -> Iterator[str]:
    report = found.report
    if report.simulated:
        yield "SIMULATED films."
    yield from _MEANINGS[found.mean]
    yield "Members have equal weight. Scores come from the cohort's folder; no film was read."
    if found.complete:
        yield (
            f"{interval_note(found.board.resamples)} Differences are paired: the ensemble and its members use the "
            "same resamples."
        )
    yield (
        "The best member is chosen by its result on these films, which favors it: the gain over it is, if anything, "
        "larger on other films."
    )
    yield from left_out_notes(report)


ENSEMBLE_PANEL = Panel("ensemble", "Ensemble", _content, _table)
