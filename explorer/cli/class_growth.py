"""`class growth`: how classes answer from session to session."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals


def class_growth(
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Show how the classes of this machine answered, session by session, the oldest first.

    Beside the share correct stands that on the same films: corrected for the difficulty of what each class was shown,
    by the films that classes share. First answers count; no nickname is read, and classes of fewer than 5 are left out.

    \b
    Examples:
      python -m explorer class growth
      python -m explorer class growth --format csv --out growth.csv

    \b
    Exit codes:
      0  done
      2  wrong input: a file that cannot be written
    """
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in
    from explorer.school.classroom.growth_table import growth_table

    with report_refusals():
        if out is not None:
            writable(out)
        write_result(table_in(output, growth_table()), out)
