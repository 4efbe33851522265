"""`class export`: write the answers of a class as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say


def class_export(
    name: Annotated[str, typer.Argument(metavar="CLASS", help="A class, as `class list` names it.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write: .csv or .parquet.")],
) -> None:
    """Write one row per answer: nickname, film, question, answer, confidence, correct, outcomes, time.

    Films are numbered from 1. Learners appear by nickname only; nothing else about them is stored.

    \b
    Examples:
      python -m explorer class export 20261125-141500-3f9a --out answers.csv
      python -m explorer class export 20261125-141500-3f9a --out answers.parquet

    \b
    Exit codes:
      0  done
      2  wrong input: no such class, or the file cannot be written
    """
    from explorer.cli.output import writable, write_result
    from explorer.school.classroom.class_table import class_csv, write_class_parquet
    from explorer.school.classroom.kept_classes import kept_class
    from models.whole_file import atomic_write

    ending = out.suffix.lower()
    if ending not in (".csv", ".parquet"):
        raise typer.BadParameter(
            f"{out} is neither a .csv nor a .parquet file. Use one of these endings.", param_hint="--out"
        )
    with report_refusals():
        writable(out)
        kept = kept_class(name)
        if ending == ".csv":
            write_result(class_csv(name), out)
        else:
            with atomic_write(out.resolve()) as partial:
                write_class_parquet(name, partial)
    say(f"Wrote {kept.answers:,} answers by {kept.learners} learners to {kept.films} films: {out}")
