"""A leaderboard with its context: which films and models it compares, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.joint_scores import comparable_models, partly_scored, slice_films
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.picked_films import picked_notes, picked_words
from explorer.analysis.thresholds.table import in_sample_films
from explorer.cohorts.counted import CASES, Counted, OfFilms, case_words, cases_text, counted_by
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.cohorts.study_cohorts import study_notes
from explorer.core.figures import OUTSIDE_NOTE, outside_interval
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.in_sample import origin_words
from explorer.core.metric_plan import IntervalKind
from explorer.core.word_lists import and_list, quantity
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

TIE_DECIMALS = 12  # means closer than this differ by rounding errors alone
MEAN_NAMES: dict[BoardMeasure, str] = {
    "AP": "mAP",
    "AUROC": "mAUROC",
    "F1": "mF1",
    "ECE": "ECE",
    "precision": "precision",
    "recall": "recall",
}


@dataclass(frozen=True, slots=True, eq=False)
class BoardReport:
    """A slice's leaderboard; `reference` is the index of the model that others are compared with.

    `origins` and `thresholds` describe each model's training in relation to these films, and its operating points.
    `chosen_thresholds` are sentences about thresholds that are not the models' own. `natural` has the same meaning as
    in `board_of`.
    """

    board: Board
    chosen: Slice
    reference: int
    natural: bool
    cohort: Manifest
    origins: tuple[str, ...]
    thresholds: tuple[str, ...]
    chosen_thresholds: tuple[str, ...] = ()
    not_compared: str = ""  # a sentence about models left out by default
    odd: tuple[str, ...] = ()  # warnings about implausible scores

    @property
    def simulated(self) -> bool:
        """Whether the films are simulated."""
        return self.cohort.simulated

    @property
    def rows(self) -> tuple[int, ...]:
        """Model indices sorted by mAP over the first part, ties by mAUROC, as CXR-LT ranks, then by name.

        Models without mAP come last.
        """
        points, ties = (self.board.means[0, measure].point for measure in ("AP", "AUROC"))
        models = self.board.models

        def order(place: int) -> tuple[float, float, str]:
            mean, tie = (round(_or_least(float(each[place])), TIE_DECIMALS) for each in (points, ties))
            return -mean, -tie, models[place]

        return tuple(sorted(range(len(models)), key=order))


def board_report(store: Store, board: Board, chosen: Slice, reference: int, *, natural: bool) -> BoardReport:
    """Return the leaderboard with its models' context from the store."""
    about = [store.model(chosen.cohort, model) for model in board.models]
    centers = sorted({part.center for part in board.parts if part.center is not None})
    listed = [chosen.center] if chosen.center is not None else centers or None
    return BoardReport(
        board=board,
        chosen=chosen,
        reference=reference,
        natural=natural,
        cohort=store.cohort(chosen.cohort),
        origins=tuple(origin_words(each.origins, listed) for each in about),
        thresholds=tuple(each.thresholds for each in about),
        chosen_thresholds=tuple(chosen_threshold_notes(store, chosen, board.models)),
        not_compared=_not_compared(store, chosen.cohort, board, reference),
        odd=tuple(_odd(board, about)),
    )


def board_title(report: BoardReport) -> str:
    """Return which films or studies are compared and how many: `Scores of 3 models on films of phantom: ...`."""
    board, counted = report.board, counted_by(report.cohort)
    what = f"Scores of {quantity(len(board.models), 'model')} on {picked_words(report.chosen, counted)}"
    films = films_compared(board.films, board.films_left_out, counted)
    return f"{what}: {films} of {quantity(board.patients, 'patient')}"


def films_compared(films: int, left_out: int, counted: Counted) -> str:
    """Return how many films or studies are compared, and out of how many if some are left out."""
    every = cases_text(films + left_out, counted)
    return f"{films:,} of {every}," if left_out else every


def board_notes(report: BoardReport) -> Iterator[str]:
    """Yield sentences on how figures are computed and what is left out."""
    counted = counted_by(report.cohort)
    if report.simulated:
        yield case_words("SIMULATED films.", counted)
    yield from study_notes(report.cohort)
    yield from (case_words(note, counted) for note in _notes_on_films(report))


def _notes_on_films(report: BoardReport) -> Iterator[str]:
    board = report.board
    yield from picked_notes(report.chosen)
    if board.resamples:
        too_high = " They are too high for ECE, and for AP with few positives." * (board.intervals == "percentile")
        yield f"{interval_note(board.resamples, board.intervals)}{too_high}"
        if _any_outside_interval(board):
            yield OUTSIDE_NOTE
    if board.resamples and len(board.models) > 1:
        yield (
            "Differences are paired: all models use the same films or resamples. p is two-sided, adjusted over the "
            "rows by Benjamini and Hochberg; very small p come from a Pareto tail fitted to the resamples. "
            "P(first): how often a model ranks first over the resamples, ties broken by mAUROC."
        )
    yield " ".join(
        [
            f"Frequency groups: {GROUP_SOURCES[report.chosen.source].rule}.",
            *threshold_note(board, own=not report.chosen_thresholds),
            "Unknown labels are left out, never counted as absent.",
        ]
    )
    yield from report.chosen_thresholds
    if report.natural:
        yield "Films are weighted to natural prevalence; n counts films."
    if report.not_compared:
        yield report.not_compared
    yield from report.odd
    yield from left_out_notes(report)
    yield from _origins(report)


def threshold_note(board: Board, *, own: bool = True) -> Iterator[str]:
    """Yield a sentence on the thresholds of F1, precision and recall, if any model has any; `own`: none chosen."""
    if not all(_uncalled(board, model) for model in range(len(board.models))):
        yield (
            f"F1, precision and recall use each model's {'own ' if own else ''}thresholds; intervals of precision and "
            "recall are in closed form, with films of a patient counted together."
        )


def interval_note(resamples: int, kind: IntervalKind = "percentile") -> str:
    """Return a sentence on how intervals are computed."""
    words = "percentiles" if kind == "percentile" else "bias-corrected percentiles (Efron)"
    return f"95 % intervals are {words} of {resamples:,} exact bootstrap resamples of whole patients."


def left_out_notes(report: BoardReport) -> Iterator[str]:
    """Yield one sentence each about films or studies, findings and pairs that are left out."""
    board, counted = report.board, counted_by(report.cohort)
    if board.minimum:
        yield f"Means leave out findings with fewer than {quantity(board.minimum, 'positive')} on their films."
    if board.films_left_out:
        lacking = zip(board.models, board.films_lacking, strict=False)
        named = and_list([f"{model} {films:,}" for model, films in lacking if films])
        yield (
            f"{cases_text(board.films_left_out, counted)} left out, because not every model scored all findings there"
            f"{f'. {CASES[counted]} without scores: {named}' if named else ''}."
        )
    if board.findings_left_out:
        yield f"Left out, because not every model scores it: {and_list(board.findings_left_out)}."
    if board.undefined:
        yield f"Means leave out {and_list(board.undefined)}: there are no films both with and without it."
    if board.uncalled:
        yield (
            f"{quantity(board.uncalled, 'pair')} of film and finding left out of F1, precision and recall: "
            "a model has no threshold for it."
        )
    without = [model for place, model in enumerate(board.models) if _uncalled(board, place)]
    if without:
        yield f"No F1, precision or recall for {and_list(without)}: no thresholds for these findings."


def chosen_threshold_notes(store: Store, chosen: Slice, models: Sequence[str]) -> Iterator[str]:
    """Yield sentences on chosen thresholds, and on those chosen on films compared here."""
    for model in models:
        if store.chosen_thresholds(chosen.cohort, model) is None:
            continue
        yield OfFilms(f"Thresholds of {model}: {store.model(chosen.cohort, model).thresholds}.")
        if films := in_sample_films(store, replace(chosen, model=model), slice_films(store, chosen)):
            yield (
                f"In-sample thresholds: those of {model} were chosen on {quantity(films, 'film')} of these. Its F1, "
                "precision and recall are optimistic."
            )


def _odd(board: Board, about: Sequence[ModelManifest]) -> Iterator[str]:
    """Yield warnings about implausible scores.

    Out-of-fold scores are exempt: score levels differ between folds, which can put rare findings below chance.
    """
    for model, warnings in zip(about, board.odd, strict=False):
        if not model.out_of_fold:
            yield from (f"Check the scores of {model.model}: {words}." for words in warnings)


def _not_compared(store: Store, cohort: str, board: Board, reference: int) -> str:
    """Return a sentence on models that the default comparison leaves out; empty if models were chosen."""
    first = board.models[reference]
    if set(board.models) != set(comparable_models(store, cohort, first)):
        return ""
    partly = partly_scored(store, cohort, first)
    if not partly:
        return ""
    films = f"{store.model(cohort, first).scored:,}"
    named = and_list([f"{model} ({scored:,} of {films})" for model, scored in sorted(partly.items())])
    return f"Not compared, because only part of the films have scores: {named}. Choose models to compare them all."


def _any_outside_interval(board: Board) -> bool:
    """Return whether any mean lies outside its interval."""
    return any(
        outside_interval(float(mean.point[model]), *(mean.interval(model) or (None, None)))
        for mean in board.means.values()
        for model in range(len(board.models))
    )


def _uncalled(board: Board, model: int) -> bool:
    return bool(board.means[0, "recall"].point[model] != board.means[0, "recall"].point[model])


def _origins(report: BoardReport) -> Iterator[str]:
    for words in dict.fromkeys(filter(None, report.origins)):
        models = [model for model, each in zip(report.board.models, report.origins, strict=True) if each == words]
        yield f"For {and_list(models)} these films are {words}."


def _or_least(value: float) -> float:
    return value if value == value else float("-inf")
