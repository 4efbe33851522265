"""`calibration`: how well a model's scores are calibrated, for every finding."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.compare import IntervalsOption, TableFormat
from explorer.cli.ending import report_refusals


def calibration(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored the cohort.")],
    where: Annotated[str, typer.Option(help='Films to measure on, such as "split=test".')] = "",
    by: Annotated[
        Literal["carried", "cross-fitted"] | None,
        typer.Option(
            help="Calibrate by the curves that `thresholds --from` carried here, or by other folds of these patients. "
            "Default: carried, if there are any.",
            show_default=False,
        ),
    ] = None,
    intervals: IntervalsOption = "percentile",
    resamples: Annotated[int, typer.Option(min=1, max=100_000, help="Bootstrap resamples, for ECE.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the resamples.")] = 0,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Measure the calibration of a model for every finding: ECE, slope and intercept, as scored and after Platt's.

    The calibration itself is fitted on validation films by `thresholds --from`, and measured here on other films:
    films of patients that it was fitted on are left out. Without one, each film's curve comes from the other four of
    five folds of patients.

    \b
    Examples:
      python -m explorer thresholds --cohort clinic --model ours --rule f1 --from split=val
      python -m explorer calibration --cohort clinic --model ours --where split=test --format latex
      python -m explorer calibration --cohort nih-oof --model nih-mini --intervals bias-corrected

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model or films that cannot be used
    """
    from explorer.analysis.comparisons.calibration_by_finding import calibration_by_finding, calibration_input
    from explorer.analysis.comparisons.calibration_table import calibration_table
    from explorer.analysis.leaderboard.picked_films import whole_film_slice
    from explorer.cli.opened_slice import opened_slice
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in

    with report_refusals():
        if out is not None:
            writable(out)
        with opened_slice(cohort, [model], where) as (store, films, (model,)):
            chosen = whole_film_slice(store, films)
            given = calibration_input(store, chosen, model, by)
            found = calibration_by_finding(given, resamples, seed, intervals=intervals)
            write_result(table_in(output, calibration_table(found, chosen, store.cohort(cohort))), out)
