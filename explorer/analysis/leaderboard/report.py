"""A leaderboard with what a reader must know of it: which films, which models, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from explorer.analysis.leaderboard.joint_metrics import Measure
from explorer.analysis.leaderboard.joint_scores import classifiers, films_of, partly_scored
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.picked_films import picked_notes, picked_words
from explorer.analysis.thresholds.table import in_sample_films
from explorer.core.figures import OUTSIDE_NOTE, outside_interval
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.in_sample import origin_words
from explorer.core.word_lists import and_list, quantity
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.cohorts.manifest import ModelManifest
    from explorer.store.store import Store

MEANS: dict[Measure, str] = {
    "AP": "mAP",
    "AUROC": "mAUROC",
    "F1": "mF1",
    "ECE": "ECE",
    "precision": "precision",
    "recall": "recall",
}


@dataclass(frozen=True, slots=True, eq=False)
class BoardReport:
    """A board of a slice; `reference` is the place of the model that differences are to, `natural` as in `board_of`.

    `origins` and `thresholds` say of each model how its training and these films are related, and where its operating
    points are from. `chosen_thresholds` are sentences on those that are not the models' own.
    """

    board: Board
    chosen: Slice
    reference: int
    natural: bool
    simulated: bool
    origins: tuple[str, ...]
    thresholds: tuple[str, ...]
    chosen_thresholds: tuple[str, ...] = ()
    not_compared: str = ""  # a sentence on the models that are left out by default
    odd: tuple[str, ...] = ()  # sentences on scores that hardly anybody means

    @property
    def rows(self) -> tuple[int, ...]:
        """The models' places, the best mAP of the first part first; those without it last, in the order of names."""
        points = self.board.means[0, "AP"].point.tolist()
        models = self.board.models
        return tuple(sorted(range(len(models)), key=lambda place: (-_or_least(points[place]), models[place])))


def report_of(store: Store, board: Board, chosen: Slice, reference: int, *, natural: bool) -> BoardReport:
    """The board with what the store knows of its models."""
    about = [store.model(chosen.cohort, model) for model in board.models]
    centers = sorted({part.center for part in board.parts if part.center is not None})
    listed = [chosen.center] if chosen.center is not None else centers or None
    return BoardReport(
        board=board,
        chosen=chosen,
        reference=reference,
        natural=natural,
        simulated=store.is_simulated(chosen.cohort),
        origins=tuple(origin_words(each.origins, listed) for each in about),
        thresholds=tuple(each.thresholds for each in about),
        chosen_thresholds=tuple(_chosen_thresholds(store, chosen, board.models)),
        not_compared=_not_compared(store, chosen.cohort, board, reference),
        odd=tuple(_odd(board, about)),
    )


def title(report: BoardReport) -> str:
    """Whose films are compared, and how many: `Scores of 3 models on films of phantom, PA films: ...`."""
    models = len(report.board.models)
    said = f"Scores of {quantity(models, 'model')} on {picked_words(report.chosen)}"
    return f"{said}: {_films(report.board)} of {quantity(report.board.patients, 'patient')}"


def _films(board: Board) -> str:
    """How many films are compared, and of how many where some are left out."""
    every = quantity(board.films + board.films_left_out, "film")
    return f"{board.films:,} of {every}," if board.films_left_out else every


def notes(report: BoardReport) -> Iterator[str]:
    """What the figures are of and what is left out, in sentences."""
    board = report.board
    if report.simulated:
        yield "SIMULATED films."
    yield from picked_notes(report.chosen)
    if board.resamples:
        yield (f"{interval_note(board.resamples)} They sit too high for ECE, and for AP with few positives.")
        if _any_beside(board):
            yield OUTSIDE_NOTE
    if board.resamples and len(board.models) > 1:
        yield (
            "Differences are paired: all models are on the same resamples. p is two-sided, adjusted over the rows by "
            "Benjamini and Hochberg; what resamples cannot count is by a Pareto tail fitted to them. "
            "P(first): how often a model is the best over the resamples, ties broken by mAUROC."
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
        yield "Each film counts as often as nature has one like it; n counts films."
    if report.not_compared:
        yield report.not_compared
    yield from report.odd
    yield from left_out(board)
    yield from _origins(report)


def threshold_note(board: Board, *, own: bool = True) -> Iterator[str]:
    """At which thresholds F1, precision and recall are; nothing where no model has any. `own`: nobody chose others."""
    if not all(_uncalled(board, model) for model in range(len(board.models))):
        yield f"F1, precision and recall are at each model's {'own ' if own else ''}thresholds."


def interval_note(resamples: int) -> str:
    """How intervals were made, in a sentence."""
    return f"Intervals are 95 %: percentiles of {resamples:,} exact bootstrap resamples of whole patients."


def left_out(board: Board) -> Iterator[str]:
    """Films, findings and pairs that are not compared, a sentence each; none where all are."""
    if board.films_left_out:
        lacking = zip(board.models, board.films_lacking, strict=False)
        named = and_list([f"{model} {films:,}" for model, films in lacking if films])
        yield (
            f"{quantity(board.films_left_out, 'film')} left out, because not every model scored all findings there"
            f"{f'. Films without scores: {named}' if named else ''}."
        )
    if board.findings_left_out:
        yield f"Left out, since not every model scores it: {and_list(board.findings_left_out)}."
    if board.undefined:
        yield f"No mean counts {and_list(board.undefined)}: no films with and without it have a known label here."
    if board.uncalled:
        yield (
            f"{quantity(board.uncalled, 'pair')} of film and finding left out of F1, precision and recall: "
            "a model has no threshold there."
        )
    without = [model for place, model in enumerate(board.models) if _uncalled(board, place)]
    if without:
        yield f"No F1, precision and recall of {and_list(without)}: no threshold for these findings."


def _chosen_thresholds(store: Store, chosen: Slice, models: Sequence[str]) -> Iterator[str]:
    """Whose thresholds are not the model's own, and whose were chosen on films that are compared here."""
    for model in models:
        if store.chosen_thresholds(chosen.cohort, model) is None:
            continue
        yield f"Thresholds of {model}: {store.model(chosen.cohort, model).thresholds}."
        if films := in_sample_films(store, replace(chosen, model=model), films_of(store, chosen)):
            yield (
                f"In-sample thresholds: {model} has thresholds chosen on {quantity(films, 'film')} of these. Its F1, "
                "precision and recall are optimistic."
            )


def _odd(board: Board, about: Sequence[ModelManifest]) -> Iterator[str]:
    """Of scores that are not out of fold: there a rare finding goes below chance because the folds' levels differ."""
    for model, said in zip(about, board.odd, strict=False):
        if not model.out_of_fold:
            yield from (f"Look at the scores of {model.model}: {words}." for words in said)


def _not_compared(store: Store, cohort: str, board: Board, reference: int) -> str:
    """Which models the default comparison leaves out; nothing where somebody chose the models."""
    first = board.models[reference]
    if set(board.models) != set(classifiers(store, cohort, first)):
        return ""
    partly = partly_scored(store, cohort, first)
    if not partly:
        return ""
    films = f"{store.model(cohort, first).scored:,}"
    named = and_list([f"{model} ({scored:,} of {films})" for model, scored in sorted(partly.items())])
    return f"Not compared, because only part of the films have scores: {named}. Choose models to compare them all."


def _any_beside(board: Board) -> bool:
    """Whether the interval of any mean does not contain it."""
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
