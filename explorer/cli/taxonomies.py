"""`taxonomies`: list label sets, or relate one to the findings of a cohort."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals


def taxonomies(
    name: Annotated[str | None, typer.Argument(help="A taxonomy, such as CheXpert; all are listed by default.")] = None,
    cohort: Annotated[
        str | None, typer.Option(help="A cohort whose findings to compare; those of CXR-LT 2026 by default.")
    ] = None,
    output: Annotated[Literal["text", "csv"], typer.Option("--format", help="Format of the crosswalk.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """List the taxonomies, or print a crosswalk: which label of one equals, or is broader than, which finding.

    Read lines from left to right: `Lung Opacity broader than Consolidation`. The last columns name the source: words of
    the datasets (the label sets, and PadChest's and NIH's words in Tailscope's table), a paper, Tailscope, or the
    cohort's own map.toml.

    \b
    Examples:
      python -m explorer taxonomies
      python -m explorer taxonomies CheXpert --cohort phantom
      python -m explorer taxonomies REVEAL-CXR --cohort mine --format csv --out crosswalk.csv

    \b
    Exit codes:
      0  done
      2  wrong input: no such taxonomy or cohort, or a file that cannot be written
    """
    from explorer.cli.output import writable, write_result
    from explorer.cli.taxonomies_text import crosswalk_in, listed_taxonomies

    if name is None and (cohort is not None or output != "text"):
        raise typer.BadParameter("--cohort and --format need a taxonomy. Name it first: taxonomies CheXpert.")
    with report_refusals():
        if out is not None:
            writable(out)
        write_result(listed_taxonomies() if name is None else crosswalk_in(output, name, cohort), out)
