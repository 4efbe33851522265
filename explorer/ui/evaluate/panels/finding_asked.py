"""What A finding is asked: which finding, which model's threshold, at which prevalence; and what is known of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.report import BoardReport
from explorer.analysis.one_finding.calibration import Calibrated, calibration
from explorer.analysis.one_finding.curves import Bands, bands
from explorer.analysis.one_finding.other_readers import other_readers
from explorer.analysis.one_finding.scores import FindingScores, Mark, at, marks
from explorer.asking.predicted import prevalence_of
from explorer.metrics.predictive_values import PredictiveValues, predictive_values
from explorer.runtime.cached_per_owner import remembered
from explorer.store.filter_registry import FILTERS
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.finding_classes import ClassMarks, classes_of
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.panel import Asked
from explorer.ui.shared.links import WrongLink, resolve_link, slice_words

if TYPE_CHECKING:
    from explorer.store.store import Store

WORD = next(word for each in FILTERS for word in each.words if word.field == "finding")
ABOUT = "about"  # the address's word for the finding that is shown where `finding` says which pairs pick the films
NORMAL = "Normal"


@dataclass(frozen=True, slots=True, eq=False)
class AskedFinding:
    """The finding at a `place` of the leaderboard's; `marks` by model, `bands` None while these are still to come.
    `calibrated` are the reference's scores; `calibrating`: their intervals are still to come. `readers` are the other
    sources of labels, `classes` learners who read films of the slice.

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
    readers: tuple[Mark, ...]
    classes: tuple[ClassMarks, ...]
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
    subject, reference = asked.subject, report.reference
    versions = tuple(asked.services.store.version(subject.chosen.cohort, model) for model in subject.models)
    films = subject.chosen, subject.models, subject.natural
    every, points, readers = _at_once(asked.services.store, *films, place, reference, versions)
    classes = classes_of(asked.services.store, subject.chosen, subject.models, one)
    drawn = None if one.lacking else in_background(asked, ("bands", one.finding), lambda: partial(bands, one))
    key = ("calibrated", one.finding, one.models[reference])
    known = None if one.lacking else in_background(asked, key, lambda: partial(calibration, one, reference))
    calibrated = known or points
    calibrating = known is None and one.lacking is None
    return AskedFinding(
        asked, report, place, one, every, drawn, calibrated, calibrating, readers, classes, tuple(complaints)
    )


def scores_of(asked: Asked, place: int) -> FindingScores:
    """The scores of the leaderboard's finding at a place."""
    subject = asked.subject
    return _scores(asked.services.store, subject.chosen, subject.models, subject.natural, place)


def _scores(store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, place: int) -> FindingScores:
    return FindingScores.of(joint_scores(store, chosen, models), place, natural=natural)


@remembered(8)  # the page asks again and again until the intervals are there
def _at_once(
    store: Store,
    chosen: Slice,
    models: tuple[str, ...],
    natural: bool,
    place: int,
    reference: int,
    _versions: tuple[str, ...],
) -> tuple[tuple[tuple[Mark, ...], ...], tuple[Calibrated, ...], tuple[Mark, ...]]:
    """The marks by model, the reference's calibration without intervals, and the other readers."""
    one = _scores(store, chosen, models, natural, place)
    films = chosen.whole_films()  # of which no pair is left out: a threshold may be that of a fold
    own = [store.column(replace(films, model=name), one.finding).threshold for name in models]
    every = tuple(tuple(marks(one, model, thresholds)) for model, thresholds in enumerate(own))
    return every, calibration(one, reference), other_readers(store, chosen, models, one)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a threshold is worth at a prevalence; `values` is None where that is unknown."""

    mark: Mark
    prevalence: float | None
    values: PredictiveValues | None


def worth_of_threshold(found: AskedFinding) -> Worth:
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


def _place(asked: Asked, report: BoardReport) -> tuple[int, list[str]]:
    """The place of the finding that is named; where none is, of the most frequent abnormal one with both classes."""
    board, named = report.board, _named(asked)
    if named in board.findings:
        return board.findings.index(named), []
    order = by_frequency(board)
    picked = asked.subject.chosen.finding
    if named is None and picked in board.findings and picked not in board.undefined:
        return board.findings.index(picked), []
    usual = [each for each in order if board.findings[each] not in (NORMAL, *board.undefined)]
    said = [] if named is None else [f"Not every model here scores {named}. Another finding is shown."]
    return (usual or order)[0], said


def finding_word(asked: Asked) -> str:
    """The address's word for the finding that is shown."""
    return ABOUT if asked.subject.chosen.picks_pairs else WORD.name


def _named(asked: Asked) -> str | None:
    """The finding that the address names; None where it names none that there is."""
    subject, sent = asked.subject, asked.state.get(ABOUT)
    if not subject.chosen.picks_pairs:
        return subject.in_explore.finding
    words = slice_words(Slice(subject.chosen.cohort, subject.chosen.model))
    return resolve_link(asked.services.store, {**words, "finding": sent}).slice.finding if sent else None
