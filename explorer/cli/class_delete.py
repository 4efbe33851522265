"""`class delete`: remove everything stored about a class."""

from __future__ import annotations

from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say


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
