"""What A finding is asked: which finding, which model's threshold, at which prevalence; and what is known of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

from explorer.analysis.board_report import BoardReport
from explorer.analysis.finding_calibration import Calibrated, calibration
from explorer.analysis.finding_curves import Bands, bands
from explorer.analysis.finding_scores import FindingScores, Mark, at, marks
from explorer.analysis.head_to_tail import by_frequency
from explorer.analysis.joint_scores import joint_scores
from explorer.asking.predicted import prevalence_of
from explorer.core.arrays import Floats
from explorer.metrics.predictive_values import PredictiveValues, predictive_values
from explorer.store.filters import FILTERS
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.panel import Asked
from explorer.ui.explore.links import WrongLink, nearest

WORD = next(word for each in FILTERS for word in each.words if word.field == "finding")
NORMAL = "Normal"


@dataclass(frozen=True, slots=True, eq=False)
class AskedFinding:
    """The finding at a `place` of the leaderboard's; `marks` by model, `bands` None while these are still to come.
    `calibrated` are the reference's scores; `calibrating`: their intervals are still to come.

    `complaints` tell words of the address that had to be left out.
    """

    asked: Asked
    report: BoardReport
    place: int
    one: FindingScores
    marks: tuple[tuple[Mark, ...], ...]
    bands: Bands | None
    calibrated: tuple[Calibrated, ...]
    calibrating: bool
    complaints: tuple[str, ...]

    @property
    def computing(self) -> bool:
        """Whether intervals are still to come."""
        bands = self.bands is None and self.one.lacking is None
        return not self.report.board.resamples or bands or self.calibrating

    @property
    def prevalence(self) -> float | None:
        """That of the films, each as often as it counts; None without known labels of both classes."""
        if self.one.lacking:
            return None
        weights = self.one.known * (1.0 if self.one.weights is None else self.one.weights)
        return float(weights[self.one.labels == 1].sum() / weights.sum())


def finding_asked(asked: Asked) -> AskedFinding:
    """The finding that the address names, with its bands where these are there; they are begun otherwise."""
    report = asked.report()
    place, complaints = _place(asked, report)
    one = scores_of(asked, place)
    every = tuple(tuple(marks(one, model, _own(asked, one, model))) for model in range(len(one.models)))
    drawn = None if one.lacking else in_background(asked, ("bands", one.finding), partial(bands, one))
    reference = report.reference
    work = partial(calibration, one, reference)
    known = None if one.lacking else in_background(asked, ("calibrated", one.finding, one.models[reference]), work)
    calibrated = known or calibration(one, reference)
    calibrating = known is None and one.lacking is None
    return AskedFinding(asked, report, place, one, every, drawn, calibrated, calibrating, tuple(complaints))


def scores_of(asked: Asked, place: int) -> FindingScores:
    """The scores of the leaderboard's finding at a place."""
    subject = asked.subject
    joint = joint_scores(asked.services.store, subject.chosen, subject.models)
    return FindingScores.of(joint, place, natural=subject.natural)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a threshold is worth at a prevalence; `values` is None where that is unknown."""

    mark: Mark
    prevalence: float | None
    values: PredictiveValues | None


def settled(found: AskedFinding) -> Worth:
    """Calls of the reference at the threshold that the address names, without one at the first that a mark has.

    At the prevalence that the address names, or that of the films. Raises WrongPrevalence, and WrongLink for what is no
    threshold.
    """
    mark = at(found.one, found.report.reference, _threshold(found))
    typed = prevalence_of(found.asked.state.get("prevalence"))
    prevalence = found.prevalence if typed is None else typed
    if prevalence is None or not 0 < prevalence < 1:
        return Worth(mark, None, None)
    return Worth(mark, prevalence, predictive_values(*mark.point, prevalence))


def _threshold(found: AskedFinding) -> float:
    sent = found.asked.state.get("at")
    if not sent:
        return next(mark.low for mark in found.marks[found.report.reference] if mark.low is not None)
    try:
        threshold = float(str(sent))
    except ValueError:
        threshold = math.nan
    if not math.isfinite(threshold):
        raise WrongLink("The link's threshold is not a number", "Drag the threshold, or take `at` out of the address.")
    return threshold


def _own(asked: Asked, one: FindingScores, model: int) -> Floats:
    chosen = replace(asked.subject.chosen, model=one.models[model])
    return asked.services.store.column(chosen, one.finding).threshold


def _place(asked: Asked, report: BoardReport) -> tuple[int, list[str]]:
    """The place of the finding that is named; where none is, of the most frequent abnormal one with both classes."""
    board, named = report.board, nearest(asked.services.store, asked.state).slice.finding
    if named in board.findings:
        return board.findings.index(named), []
    order = by_frequency(board)
    usual = [each for each in order if board.findings[each] not in (NORMAL, *board.undefined)]
    said = [] if named is None else [f"Not every model here scores {named}. Another finding is shown."]
    return (usual or order)[0], said
