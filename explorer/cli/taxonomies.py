"""`taxonomies`: the label lists that are known, and how one of them is related to the findings of a cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals


def taxonomies(
    name: Annotated[
        str | None, typer.Argument(help="A taxonomy, such as CheXpert; without it, all are listed.")
    ] = None,
    cohort: Annotated[
        str | None, typer.Option(help="A cohort, whose findings are looked for; without it, those of CXR-LT 2026.")
    ] = None,
    output: Annotated[Literal["text", "csv"], typer.Option("--format", help="Format of the crosswalk.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; without it, standard output.")] = None,
) -> None:
    """List the taxonomies, or print the crosswalk of one: which of its labels is the same as which finding, or broader.

    A line reads from left to right: `Lung Opacity broader than Consolidation`. The last columns say who states it:
    words of the datasets (the label lists, and PadChest's and NIH's words in Tailscope's table), a paper, Tailscope,
    or the cohort's own map.toml.

    \b
    Examples:
      python -m explorer taxonomies
      python -m explorer taxonomies CheXpert --cohort phantom
      python -m explorer taxonomies REVEAL-CXR --cohort mine --format csv --out crosswalk.csv

    \b
    Exit codes:
      0  done
      2  wrong input: a taxonomy or a cohort that is not there, a file that cannot be written
    """
    from explorer.cli.output import writable, write
    from explorer.cli.taxonomies_text import crosswalk_in, listed_taxonomies

    if name is None and (cohort is not None or output != "text"):
        raise typer.BadParameter("--cohort and --format are of one taxonomy. Name it first: taxonomies CheXpert.")
    with report_refusals():
        if out is not None:
            writable(out)
        write(listed_taxonomies() if name is None else crosswalk_in(output, name, cohort), out)
