"""`robustness`: how a model's scores change when its films are perturbed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals


def robustness(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored its perturbed films: `score --perturb`.")],
    where: Annotated[str, typer.Option(help='Films to include, such as "center=B, split=test".')] = "",
    scale: Annotated[Literal["matched", "medmnist-c"], typer.Option(help="As given to `score`.")] = "matched",
    resamples: Annotated[int, typer.Option(min=0, max=100_000, help="Bootstrap resamples; 0: no intervals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the resamples.")] = 0,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Show how a model's metrics change at each level of perturbation, and how many calls flip.

    For all findings and each frequency group: the change of mean AP, AUROC, F1, ECE, precision, sensitivity and
    balanced error from the same films unchanged, with a 95 % interval over the same resamples of patients, and the
    share of right and wrong calls that flip; then flips by finding. --scale medmnist-c adds the balanced error relative
    to AlexNet's.

    \b
    Examples:
      python -m explorer score --cohort my-hospital --model nih-mini --perturb all
      python -m explorer robustness --cohort my-hospital --model nih-mini
      python -m explorer robustness --cohort my-hospital --model nih-mini --where "center=B" --format csv --out b.csv

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model or films that cannot be used, or films that were not perturbed
    """
    from explorer.analysis.leaderboard.picked_films import whole_film_slice
    from explorer.analysis.robustness.perturbed_films import scored_levels
    from explorer.analysis.robustness.report import robustness as compared
    from explorer.analysis.robustness.table import robustness_table
    from explorer.cli.opened_slice import opened_slice
    from explorer.cli.output import writable, write_result
    from explorer.cli.time_left import time_left
    from explorer.core.result_table import table_in

    with report_refusals():
        if out is not None:
            writable(out)
        with opened_slice(cohort, [model], where) as (store, films, (model,)):
            levels = len(scored_levels(store.folder(cohort), model, scale))
            with time_left("levels") as progress:

                def on_share(share: float) -> None:
                    progress(round(share * levels), levels)

                found = compared(store, whole_film_slice(store, films), scale, resamples, seed, on_share)
            write_result(table_in(output, robustness_table(found)), out)
