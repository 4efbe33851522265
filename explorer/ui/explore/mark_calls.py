"""Marks of cases, kept on this machine: star, tags and note of one, stars of several. No link holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.cohorts.case_marks import CaseMarks, Mark, WrongMark
from explorer.cohorts.mark_edits import LONGEST_NOTE, Edit, noting, starring, tagging
from explorer.ui.explore.case_calls import NO_CASE, asked_of
from explorer.ui.explore.panel_calls import HIDDEN
from explorer.ui.explore.slice_calls import Payload, answered
from explorer.ui.shared.links import nearest
from explorer.ui.shared.refusals import RefusedPayload
from explorer.ui.shared.request_values import state_in, texts, value_in
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.store.store import Store

MOST_AT_ONCE = 500  # cases that are marked together


class MarkPayload(TypedDict):
    """What is marked of a case; `known` are the tags of the cohort, `every` its lists, `lists` those with the case."""

    stage: Literal["mark"]
    starred: bool
    tags: list[str]
    note: str
    longest: int
    known: list[str]
    lists: list[str]
    every: list[str]


class StarsPayload(TypedDict):
    """Those of the cases that have a star now, by their ids."""

    stage: Literal["stars"]
    starred: list[str]


def calls(services: Services) -> list[Callable[[object], object]]:
    """What the script may ask, each with one argument: the state, and what else it takes."""

    def case_mark(sent: object) -> MarkPayload | RefusedPayload:
        return unless_hidden(sent, lambda: _case_mark(services, sent))

    def cases_starred(sent: object) -> StarsPayload | RefusedPayload:
        return unless_hidden(sent, lambda: _cases_starred(services.store, sent))

    return [case_mark, cases_starred]


def unless_hidden(sent: object, work: Callable[[], Payload | RefusedPayload]) -> Payload | RefusedPayload:
    """Tags and notes tell: while labels are hidden nothing is said of them, nor changed."""
    return HIDDEN if state_in(sent).get("hide") else answered(work)


def changed(store: Store, cohort: str, edit: Edit) -> CaseMarks:
    """Make the change. Raises WrongMark, also where nothing can be written."""
    try:
        return store.change_marks(cohort, edit)
    except OSError as error:
        raise WrongMark(
            "The marks cannot be kept", f"{error.strerror}. Make room or a way for TAILSCOPE_HOME to be written."
        ) from error


def cases_named(store: Store, cohort: str, sent: object) -> dict[str, str]:
    """The cases with the ids of a list, by id in their order; ids that the cohort does not have are left out.

    Raises WrongMark.
    """
    every = sent if isinstance(sent, list) else []
    ids = list(dict.fromkeys(each for each in every if isinstance(each, str)))
    if len(ids) > MOST_AT_ONCE:
        raise WrongMark(f"Up to {MOST_AT_ONCE} cases are marked at once", "Select fewer.")
    found = ((each, store.case_named(cohort, each)) for each in ids)
    return {each: name for each, name in found if name is not None}


def _case_mark(services: Services, sent: object) -> MarkPayload | RefusedPayload:
    """Take {state, case} and what is changed: `starred`, `tags` or `note`."""
    asked = asked_of(services, sent)
    if asked is None:
        return NO_CASE
    store, cohort, case = services.store, asked.cohort.name, asked.case.case
    edit = _edit(case, sent)
    marks = store.marks(cohort) if edit is None else changed(store, cohort, edit)
    return _payload(marks, case)


def _edit(case: str, sent: object) -> Edit | None:
    starred, tags, note = (value_in(sent, name) for name in ("starred", "tags", "note"))
    if isinstance(starred, bool):
        return starring([case], on=starred)
    if isinstance(tags, list):
        return tagging(case, texts(tags))
    return noting(case, note) if isinstance(note, str) else None


def _payload(marks: CaseMarks, case: str) -> MarkPayload:
    mark: Mark = marks.of(case)
    return {
        "stage": "mark",
        "starred": mark.starred,
        "tags": list(mark.tags),
        "note": mark.note,
        "longest": LONGEST_NOTE,
        "known": list(marks.tags()),
        "lists": list(marks.lists_of(case)),
        "every": list(marks.lists),
    }


def _cases_starred(store: Store, sent: object) -> StarsPayload:
    """Take {state, cases, on}."""
    cohort = nearest(store, state_in(sent)).slice.cohort
    cases = cases_named(store, cohort, value_in(sent, "cases"))
    marks = changed(store, cohort, starring(cases.values(), on=value_in(sent, "on") is not False))
    return {"stage": "stars", "starred": [each for each, name in cases.items() if marks.of(name).starred]}
