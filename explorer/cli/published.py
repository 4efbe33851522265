"""`published`: list the tables that the papers print, or print one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from explorer.cli.ending import report_refusals

TableFormat = Literal["text", "csv", "markdown", "latex"]


def published(
    name: Annotated[str | None, typer.Argument(help="A table, such as 2026-main-1; all are listed by default.")] = None,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """List the tables of the papers of CXR-LT, CheXpert and REVEAL-CXR, or print one as printed there.

    Figures are the papers', on their own test sets: do not rank them with figures of other films. After the tables come
    calculations from them, such as which statements of a paper its own tables bear out.

    \b
    Examples:
      python -m explorer published
      python -m explorer published 2026-groups
      python -m explorer published chexpert-policies --format latex --out policies.tex

    \b
    Exit codes:
      0  done
      2  wrong input: no such table, or a file that cannot be written
    """
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in
    from explorer.published.catalog import listed, result_named

    with report_refusals():
        if out is not None:
            writable(out)
        write_result(table_in(output, listed() if name is None else result_named(name)), out)
