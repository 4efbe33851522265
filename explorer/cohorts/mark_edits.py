"""Edits of a cohort's marks: functions from marks to marks, for `explorer.cohorts.case_marks.change_marks`.

Typed text is validated here: a tag is a short word, a note is plain text of limited length, a list has a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from explorer.cohorts.case_marks import CaseMark, CaseMarks, ListedCase, WrongMark
from explorer.core.plain_text import plain_text

MAX_TAG_CHARS, MAX_TAGS = 32, 12  # tags per case
MAX_NOTE_CHARS = 2000
MAX_LIST_NAME_CHARS = 60
Edit = Callable[[CaseMarks], CaseMarks]


def starring(cases: Iterable[str], *, on: bool) -> Edit:
    """Star or unstar the cases."""
    chosen = tuple(cases)
    return lambda marks: _marked(marks, {case: replace(marks.of(case), starred=on) for case in chosen})


def tagging(case: str, tags: Iterable[str]) -> Edit:
    """Replace the tags of a case. Raises WrongMark."""
    words = tuple(sorted({_tag(each) for each in tags if each.strip()}))
    if len(words) > MAX_TAGS:
        raise WrongMark(f"A case can have up to {MAX_TAGS} tags", "Remove some of them.")
    return lambda marks: _marked(marks, {case: replace(marks.of(case), tags=words)})


def noting(case: str, note: str) -> Edit:
    """Replace the note of a case; an empty one removes it. Raises WrongMark."""
    text = plain_text(note, keep="\n").strip()
    if len(text) > MAX_NOTE_CHARS:
        raise WrongMark(
            f"A note can have up to {MAX_NOTE_CHARS:,} characters", f"This one has {len(text):,}: shorten it."
        )
    return lambda marks: _marked(marks, {case: replace(marks.of(case), note=text)})


def listing(name: str, added: Iterable[ListedCase]) -> Edit:
    """Append cases to a list, which is created if needed; each case appears in it once."""
    list_title, cases = list_name(name), tuple(added)

    def edit(marks: CaseMarks) -> CaseMarks:
        listed = {each.case: each for each in (*cases, *marks.lists.get(list_title, ()))}  # existing entries win
        listed_before = [each.case for each in marks.lists.get(list_title, ())]
        order = dict.fromkeys((*listed_before, *(each.case for each in cases)))
        return replace(marks, lists={**marks.lists, list_title: tuple(listed[case] for case in order)})

    return edit


def unlisting(name: str, cases: Iterable[str]) -> Edit:
    """Remove some cases from a list. Raises WrongMark if the list no longer exists."""
    removed = set(cases)

    def edit(marks: CaseMarks) -> CaseMarks:
        listed = tuple(each for each in _list(marks, name) if each.case not in removed)
        return replace(marks, lists={**marks.lists, name: listed})

    return edit


def renaming(name: str, new: str) -> Edit:
    """Rename a list in place. Raises WrongMark if it no longer exists, or the name is taken."""
    new_title = list_name(new)

    def edit(marks: CaseMarks) -> CaseMarks:
        _list(marks, name)
        if new_title != name and new_title in marks.lists:
            raise WrongMark(f"There is already a list {new_title!r}", "Choose another name.")
        lists = {new_title if each == name else each: listed for each, listed in marks.lists.items()}
        return replace(marks, lists=lists)

    return edit


def deleting(name: str) -> Edit:
    """Delete a list; other marks of its cases stay. Raises WrongMark if it no longer exists."""

    def edit(marks: CaseMarks) -> CaseMarks:
        _list(marks, name)
        return replace(marks, lists={each: listed for each, listed in marks.lists.items() if each != name})

    return edit


def list_name(name: str) -> str:
    """Return a list's name in normalized form. Raises WrongMark."""
    title = " ".join(plain_text(name).split())
    if not title:
        raise WrongMark("A list needs a name", "Type a word or two.")
    if len(title) > MAX_LIST_NAME_CHARS:
        raise WrongMark(f"A list's name can have up to {MAX_LIST_NAME_CHARS} characters", "Choose a shorter one.")
    return title


def _list(marks: CaseMarks, name: str) -> tuple[ListedCase, ...]:
    if name not in marks.lists:
        raise WrongMark(f"The list {name!r} no longer exists", "It was renamed or deleted, perhaps in another window.")
    return marks.lists[name]


def _tag(word: str) -> str:
    tag = " ".join(plain_text(word).replace(",", " ").split()).lower()
    if len(tag) > MAX_TAG_CHARS:
        raise WrongMark(f"A tag can have up to {MAX_TAG_CHARS} characters", "Put longer text into the note.")
    return tag


def _marked(marks: CaseMarks, changed: dict[str, CaseMark]) -> CaseMarks:
    cases = {**marks.cases, **changed}
    return replace(marks, cases={case: mark for case, mark in cases.items() if not mark.is_empty})
