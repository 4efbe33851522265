"""Edits of a cohort's marks: each makes marks of marks, for `explorer.cohorts.case_marks.change_marks`.

What somebody types is checked here: a tag is a short word, a note plain text of a bounded length, a list has a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from explorer.cohorts.case_marks import CaseMarks, ListedCase, Mark, WrongMark
from explorer.core.plain_text import plain_text

LONGEST_TAG, MOST_TAGS = 32, 12  # characters, tags of a case
LONGEST_NOTE = 2000  # characters
LONGEST_NAME = 60  # characters of a list's name
Edit = Callable[[CaseMarks], CaseMarks]


def starring(cases: Iterable[str], *, on: bool) -> Edit:
    """With a star on the cases, or without."""
    chosen = tuple(cases)
    return lambda marks: _marked(marks, {case: replace(marks.of(case), starred=on) for case in chosen})


def tagging(case: str, tags: Iterable[str]) -> Edit:
    """With these tags on a case, and no others. Raises WrongMark."""
    words = tuple(sorted({_tag(each) for each in tags if each.strip()}))
    if len(words) > MOST_TAGS:
        raise WrongMark(f"A case has up to {MOST_TAGS} tags", "Take some of them away.")
    return lambda marks: _marked(marks, {case: replace(marks.of(case), tags=words)})


def noting(case: str, note: str) -> Edit:
    """With this note on a case; empty: without one. Raises WrongMark."""
    text = plain_text(note, keep="\n").strip()
    if len(text) > LONGEST_NOTE:
        raise WrongMark(f"A note has up to {LONGEST_NOTE:,} characters", f"This one has {len(text):,}: shorten it.")
    return lambda marks: _marked(marks, {case: replace(marks.of(case), note=text)})


def listing(name: str, added: Iterable[ListedCase]) -> Edit:
    """With cases at the end of a list, which is made where it is not there yet; a case stands in it once."""
    called, cases = list_name(name), tuple(added)

    def edit(marks: CaseMarks) -> CaseMarks:
        listed = {each.case: each for each in (*cases, *marks.lists.get(called, ()))}  # what was there stays as it was
        there = [each.case for each in marks.lists.get(called, ())]
        order = dict.fromkeys((*there, *(each.case for each in cases)))
        return replace(marks, lists={**marks.lists, called: tuple(listed[case] for case in order)})

    return edit


def unlisting(name: str, cases: Iterable[str]) -> Edit:
    """Without some cases of a list, which stays. Raises WrongMark where it is gone."""
    gone = set(cases)

    def edit(marks: CaseMarks) -> CaseMarks:
        listed = tuple(each for each in _list(marks, name) if each.case not in gone)
        return replace(marks, lists={**marks.lists, name: listed})

    return edit


def renaming(name: str, new: str) -> Edit:
    """A list under another name, in its place. Raises WrongMark where it is gone, or the name is taken."""
    called = list_name(new)

    def edit(marks: CaseMarks) -> CaseMarks:
        _list(marks, name)
        if called != name and called in marks.lists:
            raise WrongMark(f"There is a list {called!r} already", "Choose another name.")
        lists = {called if each == name else each: listed for each, listed in marks.lists.items()}
        return replace(marks, lists=lists)

    return edit


def deleting(name: str) -> Edit:
    """Without a list; its cases keep what else is marked of them. Raises WrongMark where it is gone."""

    def edit(marks: CaseMarks) -> CaseMarks:
        _list(marks, name)
        return replace(marks, lists={each: listed for each, listed in marks.lists.items() if each != name})

    return edit


def list_name(name: str) -> str:
    """A list's name as it is kept. Raises WrongMark."""
    called = " ".join(plain_text(name).split())
    if not called:
        raise WrongMark("A list needs a name", "Type a word or two.")
    if len(called) > LONGEST_NAME:
        raise WrongMark(f"A list's name has up to {LONGEST_NAME} characters", "Choose a shorter one.")
    return called


def _list(marks: CaseMarks, name: str) -> tuple[ListedCase, ...]:
    if name not in marks.lists:
        raise WrongMark(f"There is no list {name!r} any more", "It was renamed or deleted, perhaps in another window.")
    return marks.lists[name]


def _tag(word: str) -> str:
    tag = " ".join(plain_text(word).replace(",", " ").split()).lower()
    if len(tag) > LONGEST_TAG:
        raise WrongMark(f"A tag has up to {LONGEST_TAG} characters", "Write what is longer into the note.")
    return tag


def _marked(marks: CaseMarks, changed: dict[str, Mark]) -> CaseMarks:
    cases = {**marks.cases, **changed}
    return replace(marks, cases={case: mark for case, mark in cases.items() if not mark.is_empty})
