"""The calls about lists of cases, kept on this machine: add, rename, delete, export, import."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, TypedDict

from explorer.analysis.exports.case_list_file import export_cases, export_list, import_list
from explorer.analysis.exports.slice_export import Export
from explorer.cohorts.case_marks import ListedCase, WrongMark
from explorer.cohorts.mark_edits import Edit, deleting, list_name, listing, renaming, unlisting
from explorer.cohorts.unlisted import public_name
from explorer.core.word_lists import quantity
from explorer.store.marked import every_marked
from explorer.store.slices import Slice
from explorer.ui.explore.mark_calls import cases_by_id
from explorer.ui.explore.panel_calls import NUMBERS_HIDDEN
from explorer.ui.explore.slice_calls import ExportedFilePayload
from explorer.ui.shared.links import resolve_link
from explorer.ui.shared.refusals import RefusedPayload, answer_or_refusal
from explorer.ui.shared.request_values import state_in, value_in
from explorer.ui.shared.saved_marks import save_marks
from explorer.ui.shared.services import Services

if TYPE_CHECKING:
    from explorer.store.store import Store


class ListPayload(TypedDict):
    """A list; `word` is the value of the filter *Marked* that shows it."""

    name: str
    cases: int
    word: str


class ListsPayload(TypedDict):
    """All lists of the cohort, and what was done."""

    stage: Literal["lists"]
    cohort: str
    lists: list[ListPayload]
    said: str


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's calls, each with one argument: the state and more values."""
    return [_call(services.store, each) for each in _QUESTIONS]


def lists_shown(store: Store, chosen: Slice, sent: object) -> ListsPayload:
    """Show all lists."""
    return _lists(store, chosen)


def list_added(store: Store, chosen: Slice, sent: object) -> ListsPayload:
    """Add {cases} to the list {name}; {findings} names, by case id, the finding a case is added for."""
    name, added = _name(sent, "name"), _cases(store, chosen, sent)
    save_marks(store, chosen.cohort, listing(name, added))
    return _lists(store, chosen, f"{quantity(len(added), 'case')} in {list_name(name)}.")


def list_without(store: Store, chosen: Slice, sent: object) -> ListsPayload:
    """Remove {cases}, by their ids, from the list {name}."""
    name, cases = _name(sent, "name"), cases_by_id(store, chosen.cohort, value_in(sent, "cases"))
    save_marks(store, chosen.cohort, unlisting(name, cases.values()))
    return _lists(store, chosen, f"{quantity(len(cases), 'case')} removed from {name}.")


def list_renamed(store: Store, chosen: Slice, sent: object) -> ListsPayload:
    """Rename the list {name} to {new}."""
    return _edited(store, chosen, renaming(_name(sent, "name"), _name(sent, "new")), "Renamed.")


def list_deleted(store: Store, chosen: Slice, sent: object) -> ListsPayload:
    """Delete the list {name}."""
    name = _name(sent, "name")
    return _edited(store, chosen, deleting(name), f"{name} is deleted. Its cases keep their stars, tags and notes.")


def list_exported(store: Store, chosen: Slice, sent: object) -> ExportedFilePayload:
    """Export the list {name} as {kind}, "csv" or "json", with notes if {notes} is true."""
    kind: Literal["csv", "json"] = "json" if value_in(sent, "kind") == "json" else "csv"
    notes = value_in(sent, "notes") is True
    return _file(export_list(store, chosen.cohort, chosen.model, _name(sent, "name"), kind, notes=notes))


def cases_exported(store: Store, chosen: Slice, sent: object) -> ExportedFilePayload:
    """Export {cases} with their {findings}, as `list_added` takes them."""
    return _file(export_cases(store, chosen.cohort, chosen.model, _cases(store, chosen, sent)))


def list_imported(store: Store, chosen: Slice, sent: object) -> ListsPayload:
    """Import a list {name} from {parts}, the pieces of a file's text, since a request's strings are bounded."""
    parts = value_in(sent, "parts")
    text = "".join(each for each in parts if isinstance(each, str)) if isinstance(parts, list) else ""
    try:
        found = import_list(store, chosen.cohort, text, _name(sent, "name"))
    except OSError as error:
        raise WrongMark("The list cannot be saved", f"{error.strerror}. Make TAILSCOPE_HOME writable.") from error
    left = (
        f" Left out {quantity(found.unknown, 'case')} that {public_name(chosen.cohort)} does not have."
        if found.unknown
        else ""
    )
    notes = f" The file: {'; '.join(note.sentence for note in found.notes)}." if found.notes else ""
    return _lists(store, chosen, f"{quantity(found.added, 'case')} added to {found.name}.{left}{notes}")


_Question = Callable[["Store", Slice, object], ListsPayload | ExportedFilePayload]
_QUESTIONS: tuple[_Question, ...] = (
    lists_shown,
    list_added,
    list_without,
    list_renamed,
    list_deleted,
    list_exported,
    list_imported,
    cases_exported,
)


def _call(store: Store, answer: _Question) -> Callable[[object], object]:
    def call(sent: object) -> ListsPayload | ExportedFilePayload | RefusedPayload:
        state = state_in(sent)
        return (
            NUMBERS_HIDDEN
            if state.get("hide")
            else answer_or_refusal(lambda: answer(store, resolve_link(store, state).slice, sent))
        )

    call.__name__ = answer.__name__
    return call


def _edited(store: Store, chosen: Slice, edit: Edit, said: str) -> ListsPayload:
    save_marks(store, chosen.cohort, edit)
    return _lists(store, chosen, said)


def _lists(store: Store, chosen: Slice, said: str = "") -> ListsPayload:
    marks = store.marks(chosen.cohort)
    words = {each.name: each.word(chosen.cohort) for each in every_marked(marks) if each.kind == "list"}
    lists: list[ListPayload] = [
        {"name": name, "cases": len(listed), "word": words[name]} for name, listed in marks.lists.items()
    ]
    return {"stage": "lists", "cohort": chosen.cohort, "lists": lists, "said": said}


def _cases(store: Store, chosen: Slice, sent: object) -> list[ListedCase]:
    cases, findings = cases_by_id(store, chosen.cohort, value_in(sent, "cases")), value_in(sent, "findings")
    known = store.facets(chosen.cohort, chosen.model).findings
    return [ListedCase(case, _finding(findings, each, known)) for each, case in cases.items()]


def _file(file: Export) -> ExportedFilePayload:
    data = b64encode(file.data).decode("ascii")
    return {"stage": "export", "name": file.name, "type": file.media_type, "data": data}


def _name(sent: object, what: str) -> str:
    name = value_in(sent, what)
    return name if isinstance(name, str) else ""


def _finding(findings: object, case: str, known: object) -> str | None:
    finding = value_in(findings, case)
    return finding if isinstance(finding, str) and isinstance(known, dict) and finding in known else None
