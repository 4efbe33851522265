"""Data of the panel A finding: the finding, model, threshold and prevalence of the address, and their figures."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.report import BoardReport
from explorer.analysis.one_finding.calibration import ScoreCalibration, score_calibration
from explorer.analysis.one_finding.curves import CurveBands, curve_bands
from explorer.analysis.one_finding.other_readers import compared_case_names, label_source_marks
from explorer.analysis.one_finding.scores import FindingScores, OperatingMark, mark_at, operating_marks
from explorer.asking.predicted import parse_prevalence
from explorer.metrics.predictive_values import PredictiveValues, predictive_values
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.filter_registry import FILTERS
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.finding_groups import ReadingGroup, reading_groups
from explorer.ui.evaluate.panels.finding_people import People, people_of
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.panel import PanelRequest
from explorer.ui.shared.links import WrongLink, resolve_link, slice_words

if TYPE_CHECKING:
    from explorer.store.store import Store

FINDING_WORD = next(word for each in FILTERS for word in each.words if word.field == "finding")
ABOUT_WORD = "about"  # address word of the shown finding if `finding` already filters pairs
NORMAL = "Normal"


@dataclass(frozen=True, slots=True, eq=False)
class FindingView:
    """A finding, by its index `place` in the leaderboard, with its figures; `bands` is None until computed.
    `marks` are by model. `calibrated` refers to the reference's scores; `calibrating`: its intervals are not ready.
    `readers` are other label sources, `groups` classes and reviews that read films of the slice, `people` imported.

    `complaints` are about ignored words of the address.
    """

    request: PanelRequest
    report: BoardReport
    place: int
    one: FindingScores
    marks: tuple[tuple[OperatingMark, ...], ...]
    bands: CurveBands | None
    calibrated: tuple[ScoreCalibration, ...]
    calibrating: bool
    readers: tuple[OperatingMark, ...]
    groups: tuple[ReadingGroup, ...]
    people: People
    complaints: tuple[str, ...]

    @property
    def computing(self) -> bool:
        """Whether intervals are still being computed."""
        bands = self.bands is None and self.one.no_curve_reason is None
        return not self.report.board.resamples or bands or self.calibrating or self.people.computing

    @property
    def prevalence(self) -> float | None:
        """The weighted prevalence among the films; None without labels of both classes."""
        if self.one.no_curve_reason:
            return None
        weights = self.one.known * (1.0 if self.one.weights is None else self.one.weights)
        return float(weights[self.one.labels == 1].sum() / weights.sum())


def finding_view(request: PanelRequest) -> FindingView:
    """Return the address's finding, with bands if they are ready; otherwise start computing them."""
    report = request.report()
    place, complaints = _place(request, report)
    one = leaderboard_finding_scores(request, place)
    subject, reference = request.subject, report.reference
    versions = tuple(request.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    films = subject.chosen, subject.models, subject.natural
    every, points, readers = _at_once(request.services.store, *films, place, reference, versions)
    cases = compared_case_names(request.services.store, subject.chosen, subject.models)
    counts = subject.chosen.label_source or request.services.store.default_source(subject.chosen.cohort)
    groups = reading_groups(subject.chosen.cohort, one, cases, counts)
    people = people_of(request, one, reference, groups, cases)
    drawn = (
        None
        if one.no_curve_reason
        else in_background(request, ("bands", one.finding), lambda: partial(curve_bands, one))
    )
    key = ("calibrated", one.finding, one.models[reference])
    known = (
        None if one.no_curve_reason else in_background(request, key, lambda: partial(score_calibration, one, reference))
    )
    calibrated = known or points
    calibrating = known is None and one.no_curve_reason is None
    complaints += people.complaints
    return FindingView(
        request, report, place, one, every, drawn, calibrated, calibrating, readers, groups, people, tuple(complaints)
    )


def leaderboard_finding_scores(request: PanelRequest, place: int) -> FindingScores:
    """Return the scores of the leaderboard's finding with index `place`."""
    subject = request.subject
    return _scores(request.services.store, subject.chosen, subject.models, subject.natural, place)


def _scores(store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, place: int) -> FindingScores:
    return FindingScores.of(joint_scores(store, chosen, models), place, natural=natural)


@cached_per_owner(8)  # the page polls until intervals are ready
def _at_once(
    store: Store,
    chosen: Slice,
    models: tuple[str, ...],
    natural: bool,
    place: int,
    reference: int,
    _versions: tuple[str, ...],
) -> tuple[tuple[tuple[OperatingMark, ...], ...], tuple[ScoreCalibration, ...], tuple[OperatingMark, ...]]:
    """Return the marks by model, the reference's calibration without intervals, and the other readers."""
    one = _scores(store, chosen, models, natural, place)
    films = chosen.whole_films()  # whole films, because thresholds may differ by fold
    own = [store.column(replace(films, model=name), one.finding).threshold for name in models]
    every = tuple(tuple(operating_marks(one, model, thresholds)) for model, thresholds in enumerate(own))
    return every, score_calibration(one, reference), label_source_marks(store, chosen, models, one)


@dataclass(frozen=True, slots=True)
class ThresholdPerformance:
    """Performance at a threshold; predictive `values` at a prevalence, None if it is unknown."""

    mark: OperatingMark
    prevalence: float | None
    values: PredictiveValues | None


def threshold_performance(found: FindingView) -> ThresholdPerformance:
    """Return the reference's performance at the address's threshold, by default the first mark's.

    The prevalence is the address's, by default the films'. Raises WrongPrevalence, and WrongLink for an invalid
    threshold.
    """
    mark = mark_at(found.one, found.report.reference, _threshold(found))
    typed = parse_prevalence(found.request.state.get("prevalence"))
    prevalence = found.prevalence if typed is None else typed
    if prevalence is None or not 0 < prevalence < 1:
        return ThresholdPerformance(mark, None, None)
    return ThresholdPerformance(mark, prevalence, predictive_values(*mark.point, prevalence))


def _threshold(found: FindingView) -> float:
    sent = found.request.state.get("at")
    if not sent:
        return next(mark.low for mark in found.marks[found.report.reference] if mark.low is not None)
    try:
        threshold = float(str(sent))
    except ValueError:
        threshold = math.nan
    if not math.isfinite(threshold):
        raise WrongLink("The link's threshold is not a number", "Drag the threshold, or remove `at` from the address.")
    return threshold


def _place(request: PanelRequest, report: BoardReport) -> tuple[int, list[str]]:
    """Return the index of the named finding, by default the most frequent abnormal one with both classes."""
    board, named = report.board, _named(request)
    if named in board.findings:
        return board.findings.index(named), []
    order = by_frequency(board)
    picked = request.subject.chosen.finding
    if named is None and picked in board.findings and picked not in board.undefined:
        return board.findings.index(picked), []
    usual = [each for each in order if board.findings[each] not in (NORMAL, *board.undefined)]
    complaints = [] if named is None else [f"Not every model here scores {named}. Another finding is shown."]
    return (usual or order)[0], complaints


def finding_word(request: PanelRequest) -> str:
    """Return the address word that names the shown finding."""
    return ABOUT_WORD if request.subject.chosen.picks_pairs else FINDING_WORD.name


def _named(request: PanelRequest) -> str | None:
    """Return the finding that the address names; None if it names no existing one."""
    subject, sent = request.subject, request.state.get(ABOUT_WORD)
    if not subject.chosen.picks_pairs:
        return subject.in_explore.finding
    words = slice_words(Slice(subject.chosen.cohort, subject.chosen.model))
    return resolve_link(request.services.store, {**words, "finding": sent}).slice.finding if sent else None
