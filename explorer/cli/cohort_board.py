"""What `evaluate --cohort` answers: the leaderboard of models that have scored a cohort, as text in a format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.formats import Format
from explorer.core.metric_plan import Grouping
from explorer.core.word_lists import listed
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.ingest.given_thresholds import GivenThresholds
    from explorer.store.store import Store


class WrongName(Refusal):
    """A cohort or a model that is not there: `title` says which, `detail` what there is."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a board is asked of. `points`: a file of thresholds, for one model alone."""

    cohort: str
    models: tuple[str, ...]
    where: str
    groups: Grouping
    resamples: int
    seed: int
    natural: bool
    points: Path | None


def board_text(asked: Asked, output: Format) -> str:
    """The leaderboard of the models, differences to the first, on the films of `where`; ends with a line break.

    Raises WrongName, WrongFilter, NoComparison, and what the store raises; WrongInput and FailedChecks for the file.
    """
    from contextlib import closing

    from explorer.analysis.board_formats import board_in
    from explorer.analysis.board_report import report_of
    from explorer.analysis.joint_scores import at_thresholds, joint_scores
    from explorer.analysis.leaderboard import board_of, groups_in
    from explorer.store.slices import Slice
    from explorer.store.store import Store
    from explorer.store.where_words import filters_in

    with closing(Store()) as store:
        check_names(store, asked.cohort, asked.models)
        given = _given(store, asked)
        filters = filters_in(asked.where, store.facets(asked.cohort, asked.models[0]))
        chosen = Slice(asked.cohort, asked.models[0], source=asked.groups, **filters)
        joint = joint_scores(store, chosen, asked.models)
        if given is not None:
            joint = at_thresholds(joint, given.values)
        groups = groups_in(store, chosen, asked.models)
        board = board_of(joint, groups, asked.resamples, asked.seed, asked.natural)
        report = report_of(store, board, chosen, 0, natural=asked.natural)
        if given is not None:
            words = f"Thresholds of {asked.models[0]}: {given.said}."
            report = replace(report, thresholds=(given.said,), chosen_thresholds=(words,))
        return board_in(output, report)


def _given(store: Store, asked: Asked) -> GivenThresholds | None:
    """The thresholds of the file. Raises WrongName where several models are compared: whose they are is not said."""
    from explorer.ingest.given_thresholds import read_thresholds

    if asked.points is None:
        return None
    if len(asked.models) > 1:
        raise WrongName(
            "A file of thresholds is of one model",
            "Name one --model with --operating-points; `thresholds` chooses those of each model.",
        )
    return read_thresholds(asked.points, margins=store.model(asked.cohort, asked.models[0]).unit == "margin")


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
