"""What `evaluate --cohort` answers: the leaderboard of models that have scored a cohort, as text in a format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.cli.formats import Format
from explorer.core.metric_plan import Grouping
from explorer.core.word_lists import listed
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


class WrongName(Refusal):
    """A cohort or a model that is not there: `title` says which, `detail` what there is."""


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

    from explorer.analysis.board_formats import board_in
    from explorer.analysis.board_report import report_of
    from explorer.analysis.joint_scores import joint_scores
    from explorer.analysis.leaderboard import board_of, groups_in
    from explorer.store.slices import Slice
    from explorer.store.store import Store
    from explorer.store.where_words import filters_in

    with closing(Store()) as store:
        check_names(store, cohort, models)
        filters = filters_in(where, store.facets(cohort, models[0]))
        chosen = Slice(cohort, models[0], source=groups, **filters)
        joint = joint_scores(store, chosen, models)
        board = board_of(joint, groups_in(store, chosen, models), resamples, seed, natural)
        return board_in(output, report_of(store, board, chosen, 0, natural=natural))


def check_names(store: Store, cohort: str, models: Sequence[str]) -> None:
    """Raises WrongName where the cohort or one of the models is not there, and where no model is named."""
    cohorts = [each.name for each in store.cohorts()]
    if cohort not in cohorts:
        raise WrongName(f"There is no cohort {cohort!r}", f"There are: {listed(cohorts)}.")
    there = [each.model for each in store.models(cohort)]
    if not models:
        raise WrongName("No model is named", f"Name one or more by --model. Of {cohort} there are: {listed(there)}.")
    for place, model in enumerate(models):
        if model not in there:
            raise WrongName(f"{model!r} has not scored {cohort}", f"There are: {listed(there)}.")
        if model in models[:place]:
            raise WrongName(f"{model} is named twice", "Name each model once.")
