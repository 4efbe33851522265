"""`compare`: two models on the same films, finding by finding."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals

TableFormat = Literal["text", "csv", "markdown", "latex"]
IntervalsOption = Annotated[
    Literal["percentile", "bias-corrected"],
    typer.Option(help="Percentile intervals, as in the challenge, or bias-corrected ones (Efron 1981)."),
]


def compare(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[list[str], typer.Option(help="Two models that have scored it: the reference, then the other.")],
    where: Annotated[str, typer.Option(help='Films to include, such as "center=B, split=test".')] = "",
    metric: Annotated[
        Literal["AP", "AUROC", "F1", "sensitivity"] | None,
        typer.Option(help="One metric. Default: all four.", show_default=False),
    ] = None,
    min_positives: Annotated[
        int, typer.Option(min=1, help="Findings with fewer positives are listed but not tested.")
    ] = 10,
    natural: Annotated[bool, typer.Option("--natural", help="Weight films to natural prevalence.")] = False,
    intervals: IntervalsOption = "percentile",
    resamples: Annotated[int, typer.Option(min=1, max=100_000, help="Bootstrap resamples.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the resamples.")] = 0,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Compare two models finding by finding, on the films that both scored: is one better, beyond chance?

    For each finding: the second model minus the first in AP, AUROC, F1 and sensitivity, with a 95 % interval, and p
    adjusted over the findings by Benjamini and Hochberg. Both models use the same resamples of whole patients. Beside
    AUROC stand DeLong's interval and p. F1 and sensitivity use each model's thresholds, or those you chose with
    `thresholds`. Scores come from the cohort's folder: no film is read.

    \b
    Examples:
      python -m explorer compare --cohort phantom --model lab-bce-0 --model phantom
      python -m explorer compare --cohort phantom --model lab-bce-0 --model phantom --where "center=B" \\
          --metric AUROC --format latex --out auroc.tex

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model or films that cannot be used
    """
    from explorer.analysis.comparisons.finding_differences import PAIR_MEASURES
    from explorer.cli.compare_text import ComparedPair, comparison_text
    from explorer.cli.output import writable, write_result

    if len(model) != 2:
        raise typer.BadParameter("Name two models: --model REFERENCE --model OTHER.")
    with report_refusals():
        if out is not None:
            writable(out)
        wanted = [each for each in PAIR_MEASURES if metric in (None, each)]
        pair = ComparedPair(cohort, (model[0], model[1]), where, min_positives, natural, intervals, resamples, seed)
        write_result(comparison_text(pair, wanted, output), out)
