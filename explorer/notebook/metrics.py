"""Models' metrics as frames: the figures of Evaluate's leaderboard, and of Explore's table of findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pandas as pd

from explorer.analysis.intervals.intervals_job import RESAMPLES, SEED
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, leaderboard, slice_groups
from explorer.analysis.leaderboard.picked_films import listed_film_slice, whole_film_slice
from explorer.analysis.leaderboard.report import BoardReport, board_notes, board_report, board_title
from explorer.analysis.leaderboard.rows import board_rows
from explorer.analysis.performance.cell_intervals import finding_intervals
from explorer.analysis.performance.performance_table import ALL_CENTERS, FindingLine, count_table, table_slice
from explorer.notebook.frames import cohort_attrs, frame_of
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest
    from explorer.store.store import Store

MetricsBy = Literal["group", "finding", "center"]
BY_FINDING_COLUMNS = ("model", "finding", "group", "metric", "value", "low", "high", "n", "n_positive")
# Column of the leaderboard -> column of the frame.
_BOARD = {
    "model": "model",
    "findings": "group",
    "center": "center",
    "metric": "metric",
    "value": "value",
    "ci_low": "low",
    "ci_high": "high",
    "films": "n",
    "positives": "n_positive",
    "positives_fewest": "n_positive_least",
    "findings_counted": "findings",
    "findings_left_out": "findings_left_out",
    "difference": "difference",
    "difference_low": "difference_low",
    "difference_high": "difference_high",
    "p_adjusted": "p",
    "p_first": "p_first",
}
_FIGURES = ("value", "low", "high", "difference", "difference_low", "difference_high", "p", "p_first")


def metrics_frame(
    store: Store,
    cohort: Manifest,
    chosen: Slice,
    models: Sequence[str],
    by: MetricsBy,
    *,
    intervals: bool,
    natural: bool,
) -> pd.DataFrame:
    """One row per model, part and metric on the films of the slice. Raises NoComparison, and the store's errors.

    By finding, each model is measured on its own films, otherwise on the films that all of the models scored.
    """
    chosen = whole_film_slice(store, chosen)
    if by == "finding":
        films = listed_film_slice(store, chosen) if chosen.picks_pairs or chosen.needs_model else chosen
        return _by_finding(store, cohort, films, models, RESAMPLES if intervals else 1)
    if intervals:
        versions = tuple(store.version(cohort.name, model) for model in models)
        board = _board(store, chosen, tuple(models), natural, versions)
    else:
        board = leaderboard(store, chosen, models, natural=natural)
    return _of_board(cohort, board_report(store, board, chosen, 0, natural=natural), by)


@cached_per_owner(8)
def _board(store: Store, chosen: Slice, models: tuple[str, ...], natural: bool, _versions: tuple[str, ...]) -> Board:
    joint, groups = joint_scores(store, chosen, models), slice_groups(store, chosen, models)
    return board_of(joint, groups, RESAMPLES, SEED, natural)


def _of_board(cohort: Manifest, report: BoardReport, by: MetricsBy) -> pd.DataFrame:
    rows = list(board_rows(report))
    if by == "group":
        kept = [row for row in rows if row["center"] is None]
    else:  # a slice of a single center has no center columns: the whole slice is that center's
        first = report.board.parts[0].name
        kept = [row for row in rows if row["center"] is not None] or [
            {**row, "center": report.chosen.center} for row in rows if row["findings"] == first
        ]
    about = {
        "title": board_title(report),
        "notes": list(board_notes(report)),
        "reference": report.board.models[report.reference],
        "resamples": report.board.resamples,
    }
    records = (tuple(row[name] for name in _BOARD) for row in kept)
    made = frame_of(_BOARD.values(), records, cohort_attrs(cohort) | about).astype(dict.fromkeys(_FIGURES, float))
    return made.drop(columns="center") if by == "group" else made


def _by_finding(store: Store, cohort: Manifest, chosen: Slice, models: Sequence[str], resamples: int) -> pd.DataFrame:
    def rows() -> Iterator[tuple[object, ...]]:
        for model in models:
            table = count_table(store, table_slice(replace(chosen, model=model), center=chosen.center))
            for line in table.lines:
                for name, *figures in _figures(store, table.chosen, line, resamples):
                    yield (model, line.finding, line.group, name, *figures)

    about = {"resamples": resamples if resamples > 1 else 0, "group_source": chosen.source}
    return frame_of(BY_FINDING_COLUMNS, rows(), cohort_attrs(cohort) | about)


def _figures(store: Store, chosen: Slice, line: FindingLine, resamples: int) -> Iterator[tuple[object, ...]]:
    """Yield name, value, low, high, n and positives of each metric; with one resample there is no interval."""
    cell = line.pooled
    for name, rate in (("sensitivity", cell.sensitivity), ("specificity", cell.specificity)):
        yield (name, rate.value, *(rate.interval or (None, None)), rate.n, cell.positives)
    drawn = finding_intervals(store.column(chosen, line.finding), (), (), resamples, SEED).cells[ALL_CENTERS]
    for name, each in (("AP", drawn), ("AUROC", drawn.auroc)):
        value, interval = (None, None) if each is None else (each.value, each.interval)
        yield (name, value, *(interval or (None, None)), cell.positives + cell.negatives, cell.positives)
