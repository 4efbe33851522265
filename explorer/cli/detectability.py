"""`detectability`: how often a model flags simulated findings that were inserted into films."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals


def detectability(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored inserted findings: `score --insert`.")],
    beside: Annotated[str, typer.Option(help="A second such model, compared on the same inserted findings.")] = "",
    where: Annotated[str, typer.Option(help='Films to include, such as "center=B, sex=F".')] = "",
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Show how often inserted SIMULATED findings are flagged, by finding, severity, zone, side and patient.

    Findings were put into films without any, one at a time. Beside each share: how many of these films are flagged
    without the finding, a 95 % interval over patients, and n. Scores are shown from subtle to obvious findings, with
    the severity from which on half are flagged. Not for medical use.

    \b
    Examples:
      python -m explorer score --cohort my-hospital --model nih-mini --insert
      python -m explorer detectability --cohort my-hospital --model nih-mini
      python -m explorer detectability --cohort phantom --model phantom --beside lab-class-aware-masks-1 --format csv

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model or films that cannot be used, or no inserted findings were scored
    """
    from explorer.analysis.detectability.report import detectability as counted
    from explorer.analysis.detectability.table import detectability_table
    from explorer.analysis.leaderboard.picked_films import whole_film_slice
    from explorer.cli.opened_slice import opened_slice
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in

    with report_refusals():
        if out is not None:
            writable(out)
        with opened_slice(cohort, [model, *([beside] if beside else [])], where) as (store, films, (name, *others)):
            found = counted(store, whole_film_slice(store, films), name, next(iter(others), None))
            write_result(table_in(output, detectability_table(found)), out)
