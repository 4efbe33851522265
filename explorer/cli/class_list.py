"""`class list`: the classes that were held on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

if TYPE_CHECKING:
    from explorer.school.classroom.kept_classes import KeptClass

HEADER = ("class", "begun (UTC)", "state", "films", "learners", "answers", "title")


def class_list() -> None:
    """List the classes whose answers are kept: when each was begun, films, learners, answers, title.

    One that is neither running nor ended was broken off: its Tailscope was killed. Every answer that a learner saw
    kept is there all the same.

    \b
    Example: python -m explorer class list

    \b
    Exit codes:
      0  done
    """
    from explorer.core.text_grid import Grid, aligned
    from explorer.school.classroom.kept_classes import kept_classes

    with report_refusals():
        rows = tuple(_row(each) for each in kept_classes())
    for line in aligned(Grid("Classes", HEADER, rows)) if rows else ("No class was held here.",):
        say(line)


def _row(kept: KeptClass | str) -> tuple[str, ...]:
    if isinstance(kept, str):
        return (kept, "", "cannot be read", "", "", "", "")
    return (kept.id, kept.begun, kept.stage, *map(str, (kept.films, kept.learners, kept.answers)), kept.title)
