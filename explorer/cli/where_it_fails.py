"""`where-it-fails`: slices of a cohort on which a model fails more often than on the other films."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals

By = Literal["facets", "embeddings", "spectra"]


def where_it_fails(
    cohort: Annotated[str, typer.Option(help="Name of a cohort.")],
    model: Annotated[str, typer.Option(help="A model that has scored it.")],
    finding: Annotated[str | None, typer.Option(help="A finding. Without it: all of them together.")] = None,
    where: Annotated[str, typer.Option(help='Films to look at, such as "center=B, view=AP". Without it: all.')] = "",
    by: Annotated[
        By,
        typer.Option(help="Filters and pairs of them, clusters of the model's embeddings, or of the films' spectra."),
    ] = "facets",
    images: Annotated[
        list[str] | None,
        typer.Option("--images", metavar="NAME=DIR", help="Where the films are, for spectra. May be repeated."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="CSV file for the table.")] = None,
) -> None:
    """List the slices of a cohort on which a model misses, or gives false alarms, more often than on the other films.

    Slices are chosen on half of the patients; every figure is of the other half. A slice costs what the sensitivity,
    or the specificity, over all films would gain if the model did as well there as on the others. Slices come by the
    low end of that cost's 95 % interval; p is one-sided, adjusted by Benjamini and Hochberg over all that were counted.

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
        from explorer.cli.output import writable, write
        from explorer.cli.where_it_fails_text import Asked, answer

        if out is not None:
            writable(out)
        text, table = answer(Asked(cohort, model, finding, where, by, dict(folders)))
        write(text, None)
        if out is not None:
            write(table, out)
