"""What `evaluate --cohort` answers: the leaderboard of models that have scored a cohort, as text in a format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.formats import Format
from explorer.core.metric_plan import Grouping
from explorer.core.word_lists import listed

if TYPE_CHECKING:
    from explorer.ingest.given_thresholds import GivenThresholds
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Asked:
    """What a board is asked of. `points`: a file of thresholds, for one model alone."""

    cohort: str
    models: tuple[str, ...]
    where: str
    groups: Grouping | None
    resamples: int
    seed: int
    natural: bool
    points: Path | None


def board_text(asked: Asked, output: Format) -> str:
    """The leaderboard of the models, differences to the first, on the films of `where`; ends with a line break.

    Raises WrongName, WrongFilter, NoComparison, and what the store raises; WrongInput and FailedChecks for the file.
    """
    from contextlib import closing

    from explorer.analysis.leaderboard.joint_scores import at_thresholds, joint_scores
    from explorer.analysis.leaderboard.means import board_of, groups_in
    from explorer.analysis.leaderboard.picked_films import of_films
    from explorer.analysis.leaderboard.report import report_of
    from explorer.analysis.leaderboard.table import board_in
    from explorer.store.store import Store
    from explorer.store.where_words import FILM_WORDS, SLICE_WORDS, WrongFilter, slice_in

    with closing(Store()) as store:
        check_names(store, asked.cohort, asked.models)
        given = _given(store, asked)
        offered = {name: word for name, word in {**FILM_WORDS, **SLICE_WORDS}.items() if name != "source"}  # `--groups`
        films = slice_in(store, asked.cohort, asked.models[0], asked.where, {}, offered)
        if given is not None and (films.outcomes or films.called or films.relation):
            raise WrongFilter(
                "Outcomes and calls are at the thresholds in force, not at the file's",
                "Leave --operating-points out, or choose the file's thresholds first: `python -m explorer thresholds`.",
            )
        films = of_films(store, films)
        chosen = films if asked.groups is None else replace(films, source=asked.groups)
        joint = joint_scores(store, chosen, asked.models)
        if given is not None:
            joint = at_thresholds(joint, given.values)
        groups = groups_in(store, chosen, asked.models)
        board = board_of(joint, groups, asked.resamples, asked.seed, asked.natural)
        report = report_of(store, board, chosen, 0, natural=asked.natural)
        if given is not None:
            words = f"Thresholds of {asked.models[0]}: {given.said}."
            report = replace(report, thresholds=(given.said,), chosen_thresholds=(words, *map(str, given.notes)))
        return board_in(output, report)


def _given(store: Store, asked: Asked) -> GivenThresholds | None:
    """The thresholds of the file. Raises WrongName where several models are compared: whose they are is not said."""
    from explorer.ingest.given_thresholds import read_thresholds
    from explorer.store.names import WrongName

    if asked.points is None:
        return None
    if len(asked.models) > 1:
        raise WrongName(
            "A file of thresholds is of one model",
            "Name one --model with --operating-points; `thresholds` chooses those of each model.",
        )
    model = store.model(asked.cohort, asked.models[0])
    return read_thresholds(asked.points, margins=model.unit == "margin", own=model.findings)


def check_names(store: Store, cohort: str, models: Sequence[str]) -> None:
    """Raises WrongName where the cohort or one of the models is not there, and where no model is named."""
    from explorer.store.names import WrongName, cohort_named, models_named

    cohort_named(store, cohort)
    if not models:
        there = listed(each.model for each in store.models(cohort))
        raise WrongName("No model is named", f"Name one or more by --model. Of {cohort} there are: {there}.")
    models_named(store, cohort, models)
