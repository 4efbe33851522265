"""The calls about marked cases: star, tags and note of one, stars of several. Marks stay on this machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.cohorts.case_marks import CaseMark, CaseMarks, WrongMark
from explorer.cohorts.mark_edits import MAX_NOTE_CHARS, Edit, noting, starring, tagging
from explorer.ui.explore.case_calls import NO_CASE, case_request
from explorer.ui.explore.panel_calls import NUMBERS_HIDDEN
from explorer.ui.shared.links import resolve_link
from explorer.ui.shared.refusals import Payload, RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, string_set, value_in
from explorer.ui.shared.saved_marks import save_marks
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_MARKED_AT_ONCE = 500  # cases marked in one call


class MarkPayload(TypedDict):
    """The marks of a case; `known` are the cohort's tags, `every` its lists, `lists` those with the case."""

    stage: Literal["mark"]
    starred: bool
    tags: list[str]
    note: str
    longest: int
    known: list[str]
    lists: list[str]
    every: list[str]


class StarsPayload(TypedDict):
    """The ids of the cases, among those sent, that now have a star."""

    stage: Literal["stars"]
    starred: list[str]


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's calls, each with one argument: the state and more values."""

    def case_mark(sent: object) -> MarkPayload | RefusedPayload:
        return unless_hidden(sent, lambda: _case_mark(services, sent))

    def cases_starred(sent: object) -> StarsPayload | RefusedPayload:
        return unless_hidden(sent, lambda: _cases_starred(services.store, sent))

    return [case_mark, cases_starred]


def unless_hidden(sent: object, work: Callable[[], Payload | RefusedPayload]) -> Payload | RefusedPayload:
    """Run `work` unless labels are hidden, because tags and notes can reveal them."""
    return NUMBERS_HIDDEN if state_in(sent).get("hide") else answer_or_refusal(work)


def cases_by_id(store: Store, cohort: str, sent: object) -> dict[str, str]:
    """The cases of a list of ids, by id, in the list's order, without unknown ids.

    Raises WrongMark.
    """
    every = sent if isinstance(sent, list) else []
    ids = list(dict.fromkeys(each for each in every if isinstance(each, str)))
    if len(ids) > MAX_MARKED_AT_ONCE:
        raise WrongMark(f"Up to {MAX_MARKED_AT_ONCE} cases can be marked at once", "Select fewer.")
    found = ((each, store.case_named(cohort, each)) for each in ids)
    return {each: name for each, name in found if name is not None}


def _case_mark(services: Services, sent: object) -> MarkPayload | RefusedPayload:
    """Show or change the marks of a case: {state, case} and `starred`, `tags` or `note`."""
    request = case_request(services, sent)
    if request is None:
        return NO_CASE
    store, cohort, case = services.store, request.cohort.name, request.case.case
    edit = _edit(case, sent)
    marks = store.marks(cohort) if edit is None else save_marks(store, cohort, edit)
    return _payload(marks, case)


def _edit(case: str, sent: object) -> Edit | None:
    starred, tags, note = (value_in(sent, name) for name in ("starred", "tags", "note"))
    if isinstance(starred, bool):
        return starring([case], on=starred)
    if isinstance(tags, list):
        return tagging(case, string_set(tags))
    return noting(case, note) if isinstance(note, str) else None


def _payload(marks: CaseMarks, case: str) -> MarkPayload:
    mark: CaseMark = marks.of(case)
    return {
        "stage": "mark",
        "starred": mark.starred,
        "tags": list(mark.tags),
        "note": mark.note,
        "longest": MAX_NOTE_CHARS,
        "known": list(marks.tags()),
        "lists": list(marks.lists_of(case)),
        "every": list(marks.lists),
    }


def _cases_starred(store: Store, sent: object) -> StarsPayload:
    """Set or remove the stars of several cases: {state, cases, on}."""
    cohort = resolve_link(store, state_in(sent)).slice.cohort
    cases = cases_by_id(store, cohort, value_in(sent, "cases"))
    marks = save_marks(store, cohort, starring(cases.values(), on=value_in(sent, "on") is not False))
    return {"stage": "stars", "starred": [each for each, name in cases.items() if marks.of(name).starred]}
