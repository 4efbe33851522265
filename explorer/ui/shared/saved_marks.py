"""Saves marks and lists of cases on this machine."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from explorer.cohorts.case_marks import CaseMarks, ListedCase, WrongMark
from explorer.cohorts.mark_edits import Edit, list_name, listing
from explorer.store.marked import Marked, every_marked

if TYPE_CHECKING:
    from explorer.store.store import Store


def save_marks(store: Store, cohort: str, edit: Edit) -> CaseMarks:
    """Change the marks of a cohort. Raises WrongMark, also if they cannot be written."""
    try:
        return store.change_marks(cohort, edit)
    except OSError as error:
        raise WrongMark(
            "The marks cannot be saved", f"{error.strerror}. Free some disk space, or make TAILSCOPE_HOME writable."
        ) from error


def save_list(store: Store, cohort: str, name: str, cases: Iterable[ListedCase]) -> Marked:
    """Save cases as a new list, with a number after the name if it is taken. Raises WrongMark."""
    title = list_name(name)
    names = itertools.chain([title], (f"{title} ({number})" for number in itertools.count(2)))
    free = next(each for each in names if each not in store.marks(cohort).lists)
    marks = save_marks(store, cohort, listing(free, cases))
    return next(each for each in every_marked(marks) if (each.kind, each.name) == ("list", free))
