"""Ensemble: the mean of what the chosen models say, and what it gains over the best of them and over the reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from explorer.analysis.ensembles.ensemble import MEANS_OF, Mean, ensemble_board
from explorer.analysis.ensembles.ensemble_gain import Gain, ensemble_gains
from explorer.analysis.leaderboard.joint_metrics import Measure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import MEANS, BoardReport, interval_note, left_out, title
from explorer.analysis.leaderboard.table import part_name
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, difference_text, estimate_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import and_list
from explorer.ui.evaluate.panels.gain_chart import gain_chart
from explorer.ui.evaluate.panels.panel import Asked, Content, Panel
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import LinkState
from explorer.ui.shared.panel_words import ValuePayload

WORD = "mean"
MEASURES: tuple[Measure, ...] = ("AP", "AUROC", "ECE")  # of scores: an ensemble that is not kept has no threshold


class GainPayload(TypedDict):
    """A part, with what the ensemble, its best member and the reference have there; `best` is that member's name."""

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
    """What the panel draws; `gains` are by part; `mean_name` is of the metric, `mean` of the ensemble."""

    plotly: str
    figure: Plotly
    measure: Measure
    mean_name: str
    measures: list[dict[str, str]]
    mean: Mean
    means: list[dict[str, str]]
    members: list[str]
    reference: str
    gains: list[GainPayload]


@dataclass(frozen=True, slots=True)
class _Answer:
    """All that is shown."""

    report: BoardReport
    board: Board  # of the ensemble alone
    mean: Mean
    measure: Measure
    gains: list[Gain]
    complaints: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return bool(self.board.resamples and self.report.board.resamples)


def mean_of(state: LinkState) -> tuple[Mean, tuple[str, ...]]:
    """Of what the address wants the mean, and a sentence where that is nothing known."""
    sent = state.get(WORD)
    found = next((each for each in MEANS_OF if each == sent), None)
    if found is None and sent:
        return MEANS_OF[0], ("The link names a mean that is not among these. It was ignored.",)
    return found or MEANS_OF[0], ()


def _answer(asked: Asked) -> _Answer:
    report, subject, services = asked.report(), asked.subject, asked.services
    mean, complaints = mean_of(asked.state)
    measure: Measure = subject.measure if subject.measure in MEASURES else "AP"
    of = (subject.chosen, subject.models, mean)
    points = ensemble_board(services.store, *of, natural=subject.natural)
    board = services.intervals.ensemble(*of, natural=subject.natural) or points
    gains = list(ensemble_gains(board, report.board, report.reference, measure))
    return _Answer(report, board, mean, measure, gains, complaints)


def _content(asked: Asked) -> Content:
    found = _answer(asked)
    report, board = found.report, found.report.board
    reference = board.models[report.reference]
    payload: EnsemblePayload = {
        "plotly": PLOTLY,
        "figure": gain_chart(found.gains, list(map(part_name, board.parts)), MEANS[found.measure], reference),
        "measure": found.measure,
        "mean_name": MEANS[found.measure],
        "measures": [{"word": each.lower(), "name": each} for each in MEASURES],
        "mean": found.mean,
        "means": [{"word": each, "name": each} for each in MEANS_OF],
        "members": list(board.models),
        "reference": reference,
        "gains": [_gain(each, board, found.measure) for each in found.gains],
    }
    words = {} if found.mean == MEANS_OF[0] else {WORD: found.mean}
    return Content(title(report), tuple(_notes(found)), dict(payload), not found.complete, words, found.complaints)


def _gain(gain: Gain, board: Board, measure: Measure) -> GainPayload:
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


def _table(asked: Asked) -> ResultTable:
    found = _answer(asked)
    board, reference = found.report.board, found.report.board.models[found.report.reference]
    metric, parts = MEANS[found.measure], board.parts
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
    return ResultTable(title(found.report), tuple(_notes(found)), (grid,), tuple(_rows(found, reference)))


def _rows(found: _Answer, reference: str) -> Iterator[Cells]:
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
            "metric": MEANS[found.measure],
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


_MEANINGS: dict[Mean, Sequence[str]] = {
    "scores": (
        "Each film's score is the mean of its members' scores; an image-text model's are sigmoid(scale * margin).",
    ),
    "logits": (
        "Each film's score is sigmoid of the mean of its members' logits; scores of 0 and 1 count as 1e-6 off.",
    ),
    "ranks": (
        "Each film's score is the mean of its ranks, from 0 to 1, among all films of the cohort that every member "
        "scored; films of equal score share a rank.",
        "A rank is no probability: ECE of it says nothing.",
    ),
}


def _notes(found: _Answer) -> Iterator[str]:
    report = found.report
    if report.simulated:
        yield "SIMULATED films."
    yield from _MEANINGS[found.mean]
    yield "Members count equally. No film was read: scores are those in the cohort's folder."
    if found.complete:
        yield (
            f"{interval_note(found.board.resamples)} Differences are paired: the ensemble and its members are on the "
            "same resamples."
        )
    yield (
        "The best member is that of the best point on these very films, which flatters it: the gain over it is, if "
        "anything, larger on other films."
    )
    yield from left_out(report.board)


ENSEMBLE = Panel("ensemble", "Ensemble", _content, _table)
