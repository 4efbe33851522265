"""`where-it-fails`: find slices of a cohort on which a model fails more often than elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals

FoundBy = Literal["facets", "embeddings", "spectra"]


def where_it_fails(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored the cohort.")],
    finding: Annotated[str | None, typer.Option(help="A finding. Default: all findings together.")] = None,
    where: Annotated[str, typer.Option(help='Films to search, such as "center=B, view=AP". Default: all.')] = "",
    by: Annotated[
        FoundBy,
        typer.Option(
            help="Search filters and pairs of filters, clusters of the model's embeddings, or of film spectra."
        ),
    ] = "facets",
    images: Annotated[
        list[str] | None,
        typer.Option("--images", metavar="NAME=DIR", help="Where a cohort's films are, for spectra. Repeatable."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for the table.")] = None,
) -> None:
    """List slices of a cohort on which a model misses findings, or gives false alarms, more often than elsewhere.

    Slices are chosen on half of the patients; all figures are from the other half. The cost of a slice is the gain in
    overall sensitivity, or specificity, if the model did as well there as on the other films. Slices are sorted by the
    lower limit of the cost's 95 % interval. p is one-sided, with Benjamini-Hochberg adjustment over all slices tested.

    \b
    Examples:
      python -m explorer where-it-fails --cohort phantom --model phantom --finding "Pleural Effusion"
      python -m explorer where-it-fails --cohort nih-oof --model nih-mini --where "view=AP" --out fails.csv
      python -m explorer where-it-fails --cohort nih-oof --model nih-mini --finding Mass --by embeddings

    \b
    Exit codes:
      0  done
      2  wrong input: a cohort, a model, a finding or films that cannot be used
    """
    from explorer.cli.options import image_folders

    folders = image_folders(images or [])
    with report_refusals():
        from explorer.cli.output import writable, write_result
        from explorer.cli.where_it_fails_text import SliceSearch, slices_report

        if out is not None:
            writable(out)
        text, table = slices_report(SliceSearch(cohort, model, finding, where, by, dict(folders)))
        write_result(text, None)
        if out is not None:
            write_result(table, out)
