"""The answer of `evaluate --cohort`: a leaderboard of models on a cohort, as text in a format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.formats import Format
from explorer.core.metric_plan import Grouping, IntervalKind
from explorer.core.word_lists import comma_list

if TYPE_CHECKING:
    from explorer.ingest.given_thresholds import GivenThresholds
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class BoardRequest:
    """The options of a leaderboard. `points`: a file of thresholds, for a single model only."""

    cohort: str
    models: tuple[str, ...]
    where: str
    groups: Grouping | None
    resamples: int
    seed: int
    natural: bool
    points: Path | None
    minimum: int = 0
    intervals: IntervalKind = "percentile"


def board_text(request: BoardRequest, output: Format) -> str:
    """Return the leaderboard on the films of `where`, with differences to the first model; ends with a line break.

    Raises WrongName, WrongFilter, NoComparison, and the store's errors; WrongInput and FailedChecks for the file.
    """
    from contextlib import closing

    from explorer.analysis.leaderboard.joint_scores import called_at_thresholds, joint_scores
    from explorer.analysis.leaderboard.means import board_of, slice_groups
    from explorer.analysis.leaderboard.picked_films import whole_film_slice
    from explorer.analysis.leaderboard.report import board_report
    from explorer.analysis.leaderboard.table import format_board
    from explorer.cli.prepared import prepare_with_progress
    from explorer.store.store import Store
    from explorer.store.where_words import FILM_WORDS, SLICE_WORDS, WrongFilter, slice_in

    with closing(Store()) as store:
        request = replace(request, models=check_names(store, request.cohort, request.models))
        prepare_with_progress(store, request.cohort, request.models)
        given = _given(store, request)
        offered = {name: word for name, word in {**FILM_WORDS, **SLICE_WORDS}.items() if name != "source"}  # `--groups`
        films = slice_in(store, request.cohort, request.models[0], request.where, {}, offered)
        if given is not None and (films.outcomes or films.called or films.relation):
            raise WrongFilter(
                "Outcomes and calls use the saved thresholds, not the file's",
                "Leave --operating-points out, or save the file's thresholds first: `python -m explorer thresholds`.",
            )
        films = whole_film_slice(store, films)
        chosen = films if request.groups is None else replace(films, source=request.groups)
        joint = joint_scores(store, chosen, request.models)
        if given is not None:
            joint = called_at_thresholds(joint, given.values)
        groups = slice_groups(store, chosen, request.models)
        settings = request.resamples, request.seed, request.natural
        board = board_of(joint, groups, *settings, minimum=request.minimum, intervals=request.intervals)
        report = board_report(store, board, chosen, 0, natural=request.natural)
        if given is not None:
            words = f"Thresholds of {request.models[0]}: {given.origin}."
            report = replace(report, thresholds=(given.origin,), chosen_thresholds=(words, *map(str, given.notes)))
        return format_board(output, report)


def _given(store: Store, request: BoardRequest) -> GivenThresholds | None:
    """Return the thresholds of the file, if one is given. Raises WrongName if several models are compared."""
    from explorer.ingest.given_thresholds import read_thresholds
    from explorer.store.names import WrongName

    if request.points is None:
        return None
    if len(request.models) > 1:
        raise WrongName(
            "A file of thresholds belongs to one model",
            "Give one --model with --operating-points; `thresholds` saves thresholds for each model.",
        )
    model = store.model(request.cohort, request.models[0])
    return read_thresholds(request.points, margins=model.unit == "margin", own=model.findings)


def check_names(store: Store, cohort: str, models: Sequence[str]) -> tuple[str, ...]:
    """Return the models' names as stored, whatever the case of those given.

    Raises WrongName if the cohort or a model does not exist, or if no model is named.
    """
    from explorer.store.names import WrongName, cohort_named, models_named

    cohort_named(store, cohort)
    if not models:
        models_here = comma_list(each.model for each in store.models(cohort))
        raise WrongName("No model is named", f"Name one or more with --model. {cohort} has: {models_here}.")
    return tuple(each.model for each in models_named(store, cohort, models))
