"""Runs `compare` and returns its table as text in a format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.analysis.comparisons.finding_differences import PairMeasure, finding_differences
from explorer.analysis.comparisons.finding_differences_table import DifferencesReport, differences_table
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import slice_groups
from explorer.analysis.leaderboard.picked_films import whole_film_slice
from explorer.analysis.leaderboard.report import chosen_threshold_notes
from explorer.cli.opened_slice import opened_slice
from explorer.core.result_table import table_in
from explorer.metrics.bias_corrected import IntervalKind


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """The options of a comparison; `models` are the reference and the other."""

    cohort: str
    models: tuple[str, str]
    where: str
    minimum: int
    natural: bool
    intervals: IntervalKind
    resamples: int
    seed: int


def comparison_text(pair: ComparedPair, measures: Sequence[PairMeasure], output: str) -> str:
    """Return the comparison, ending with a line break. Raises WrongName, WrongFilter, NoComparison, store errors."""
    with opened_slice(pair.cohort, pair.models, pair.where) as (store, films, (reference, model)):
        models = reference, model
        chosen = whole_film_slice(store, films)
        joint = joint_scores(store, chosen, models)
        found = finding_differences(
            joint, pair.resamples, pair.seed, natural=pair.natural, intervals=pair.intervals
        ).at_least(pair.minimum)
        report = DifferencesReport(
            found,
            chosen,
            slice_groups(store, chosen, models),
            store.is_simulated(pair.cohort),
            tuple(chosen_threshold_notes(store, chosen, models)),
            store.counted(pair.cohort),
        )
        return table_in(output, differences_table(report, measures))
