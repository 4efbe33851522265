"""What A finding is asked: which finding, which model's threshold, at which prevalence; and what is known of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from explorer.analysis.board_report import BoardReport
from explorer.analysis.finding_curves import Bands, bands
from explorer.analysis.finding_scores import FindingScores, Mark, at, marks
from explorer.analysis.head_to_tail import by_frequency
from explorer.analysis.joint_scores import joint_scores
from explorer.asking.predicted import prevalence_of
from explorer.core.arrays import Floats
from explorer.metrics.predictive_values import PredictiveValues, predictive_values
from explorer.store.filters import FILTERS
from explorer.ui.evaluate.panels.panel import Asked
from explorer.ui.explore.links import WrongLink, nearest

Result = TypeVar("Result")
WORD = next(word for each in FILTERS for word in each.words if word.field == "finding")
NORMAL = "Normal"


@dataclass(frozen=True, slots=True, eq=False)
class AskedFinding:
    """The finding at a `place` of the leaderboard's; `marks` by model, `bands` None while these are still to come.

    `complaints` tell words of the address that had to be left out.
    """

    asked: Asked
    report: BoardReport
    place: int
    one: FindingScores
    marks: tuple[tuple[Mark, ...], ...]
    bands: Bands | None
    complaints: tuple[str, ...]

    @property
    def computing(self) -> bool:
        """Whether intervals are still to come."""
        return not self.report.board.resamples or (self.bands is None and self.one.lacking is None)

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
    drawn = None if one.lacking else in_background(asked, one, "bands of a finding", bands)
    return AskedFinding(asked, report, place, one, every, drawn, tuple(complaints))


def scores_of(asked: Asked, place: int) -> FindingScores:
    """The scores of the leaderboard's finding at a place."""
    subject = asked.subject
    joint = joint_scores(asked.services.store, subject.chosen, subject.models)
    return FindingScores.of(joint, place, natural=subject.natural)


def in_background(
    asked: Asked, one: FindingScores, name: str, work: Callable[[FindingScores, int, int], Result]
) -> Result | None:
    """What `work` makes of the finding with the resamples and the seed of all intervals; None while it is at it.

    Raises FailedWork.
    """
    job, subject = asked.services.intervals, asked.subject
    versions = tuple(asked.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    key = (name, one.finding, subject.chosen, subject.models, subject.natural, versions, job.resamples, job.seed)
    return job.ask(key, partial(work, one, job.resamples, job.seed))


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
