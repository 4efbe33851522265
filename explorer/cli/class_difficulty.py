"""`class difficulty`: how difficult films are, over all classes on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals


def class_difficulty(
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Show how difficult films are, from the answers of all classes on this machine, the hardest first.

    Difficulty is that of the Rasch model: of a film with 0, half of average learners answer correctly. A film counts
    with its question, from 5 answers on. First answers count; no nickname is read.

    \b
    Examples:
      python -m explorer class difficulty
      python -m explorer class difficulty --format csv --out difficulty.csv

    \b
    Exit codes:
      0  done
      2  wrong input: a file that cannot be written
    """
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in
    from explorer.school.classroom.difficulty_table import difficulty_table

    with report_refusals():
        if out is not None:
            writable(out)
        write_result(table_in(output, difficulty_table()), out)
