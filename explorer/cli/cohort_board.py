"""What `evaluate --cohort` answers: the leaderboard of models that have scored a cohort, as text in a format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.cli.formats import Format
from explorer.core.metric_plan import Grouping
from explorer.core.word_lists import listed

if TYPE_CHECKING:
    from explorer.store.store import Store


def board_text(
    cohort: str,
    models: Sequence[str],
    where: str,
    groups: Grouping,
    resamples: int,
    seed: int,
    output: Format,
    *,
    natural: bool,
) -> str:
    """The leaderboard of the models, differences to the first, on the films of `where`; ends with a line break.

    Raises WrongName, WrongFilter, NoComparison, and what the store raises.
    """
    from contextlib import closing
    from dataclasses import replace

    from explorer.analysis.board_formats import board_in
    from explorer.analysis.board_report import report_of
    from explorer.analysis.joint_scores import joint_scores
    from explorer.analysis.leaderboard import board_of, groups_in
    from explorer.store.store import Store
    from explorer.store.where_words import FILM_WORDS, slice_in

    with closing(Store()) as store:
        _check_names(store, cohort, models)
        films = slice_in(store, cohort, models[0], where, {}, FILM_WORDS)
        chosen = replace(films, source=groups)
        joint = joint_scores(store, chosen, models)
        board = board_of(joint, groups_in(store, chosen, models), resamples, seed, natural)
        return board_in(output, report_of(store, board, chosen, 0, natural=natural))


def _check_names(store: Store, cohort: str, models: Sequence[str]) -> None:
    from explorer.store.names import WrongName, cohort_named, models_named

    cohort_named(store, cohort)
    if not models:
        there = listed(each.model for each in store.models(cohort))
        raise WrongName("No model is named", f"Name one or more by --model. Of {cohort} there are: {there}.")
    models_named(store, cohort, models)
