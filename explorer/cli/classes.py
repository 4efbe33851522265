"""`class`: the group of commands for classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.class_difficulty import class_difficulty
from explorer.cli.class_file import class_file
from explorer.cli.class_growth import class_growth
from explorer.cli.ending import report_refusals
from explorer.cli.say import say

if TYPE_CHECKING:
    from explorer.school.classroom.kept_classes import KeptClass


CLASS_LIST_HEADER = ("class", "begun (UTC)", "state", "films", "learners", "answers", "title")


def class_list() -> None:
    """List stored classes: start time, films, learners, answers, title.

    A class that is neither running nor ended was interrupted because Tailscope was killed. Every answer that a learner
    saw confirmed is stored all the same.

    \b
    Example: python -m explorer class list

    \b
    Exit codes:
      0  done
    """
    from explorer.core.text_grid import TextGrid, aligned
    from explorer.school.classroom.kept_classes import kept_classes

    with report_refusals():
        rows = tuple(_row(each) for each in kept_classes())
    for line in (
        aligned(TextGrid("Classes", CLASS_LIST_HEADER, rows)) if rows else ("No class was held on this machine.",)
    ):
        say(line)


def _row(kept: KeptClass | str) -> tuple[str, ...]:
    if isinstance(kept, str):
        return (kept, "", "cannot be read", "", "", "", "")
    return (kept.id, kept.begun, kept.stage, *map(str, (kept.films, kept.learners, kept.answers)), kept.title)


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


def class_delete(
    name: Annotated[str, typer.Argument(metavar="CLASS", help="A class, as `class list` names it.")],
) -> None:
    """Delete a class: its nicknames, its answers and all its files. Tailscope keeps no other copy.

    Exports, copies and backups are yours to delete. A running class cannot be deleted.

    \b
    Example: python -m explorer class delete 20261125-141500-3f9a

    \b
    Exit codes:
      0  done
      2  wrong input: no such class, or it is still running
    """
    from explorer.school.classroom.kept_classes import delete_class

    with report_refusals():
        deleted = delete_class(name)
    say(f"Deleted the class {deleted.id}: {', '.join(deleted.files)}.")


classes = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Export, delete or package classes that were held; film difficulty, growth. Start a class with `make class`.",
)
classes.command("list")(class_list)
classes.command("export")(class_export)
classes.command("delete")(class_delete)
classes.command("file")(class_file)
classes.command("difficulty")(class_difficulty)
classes.command("growth")(class_growth)
