"""`class list`: the classes held on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
