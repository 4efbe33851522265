"""`tracks`: rank models on several cohorts as CXR-LT 2024 ranks its tasks, and average the ranks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.published import TableFormat

if TYPE_CHECKING:
    from explorer.analysis.leaderboard.means import Board
    from explorer.store.store import Store


def tracks(
    cohort: Annotated[list[str], typer.Option(help="A cohort that is a track; repeatable.")],
    model: Annotated[
        list[str] | None,
        typer.Option(help="A model that has scored every track; repeatable. Default: all such models."),
    ] = None,
    resamples: Annotated[int, typer.Option(min=0, max=100_000, help="Bootstrap resamples for the intervals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the resamples.")] = 0,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Rank models on several cohorts by mAP, ties by mAUROC, and average their ranks.

    CXR-LT 2024 ranks each of its three tasks so, and favors the smallest average rank over all tasks. A model has to be
    known by the same name on every track.

    \b
    Examples:
      python -m explorer tracks --cohort task1 --cohort task2 --cohort task3
      python -m explorer tracks --cohort test --cohort gold --model mine --model theirs --format csv --out ranks.csv

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort or a model that cannot be used, or a single track
    """
    from contextlib import closing

    from explorer.analysis.leaderboard.track_ranks import ranks_table, track_ranks
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in
    from explorer.store.store import Store

    with report_refusals():
        if out is not None:
            writable(out)
        with closing(Store()) as store:
            names = tuple(model or _on_every_track(store, cohort))
            boards = [_board(store, track, names, resamples, seed) for track in cohort]
            write_result(table_in(output, ranks_table(track_ranks(cohort, boards))), out)


def _on_every_track(store: Store, cohorts: list[str]) -> list[str]:
    """Return the models that have scored every cohort. Raises WrongName, NoTracks."""
    from explorer.analysis.leaderboard.track_ranks import NoTracks
    from explorer.store.names import cohort_named

    for name in cohorts:
        cohort_named(store, name)
    first, *others = ({each.model for each in store.models(name)} for name in cohorts)
    shared = sorted(first.intersection(*others))
    if not shared:
        raise NoTracks("No model has scored every track", "Score them first: `python -m explorer score --help`.")
    return shared


def _board(store: Store, cohort: str, models: tuple[str, ...], resamples: int, seed: int) -> Board:
    from explorer.analysis.leaderboard.joint_scores import joint_scores
    from explorer.analysis.leaderboard.means import board_of, slice_groups
    from explorer.cli.leaderboard import check_names
    from explorer.cli.prepared import prepare_with_progress
    from explorer.core.groups import default_group_source
    from explorer.store.slices import Slice

    check_names(store, cohort, models)
    prepare_with_progress(store, cohort, models)
    findings = store.model(cohort, models[0]).findings
    chosen = Slice(cohort, models[0], source=default_group_source(findings))
    return board_of(joint_scores(store, chosen, models), slice_groups(store, chosen, models), resamples, seed, False)
