"""The filter *Marked*: its cases in counts, pages, exports and words, as they are marked now."""

from __future__ import annotations

import pytest

from explorer.cohorts.case_marks import ListedCase, marks_file
from explorer.cohorts.layout import Folder
from explorer.cohorts.mark_edits import listing, noting, starring, tagging
from explorer.store.filter_words import WrongFilter
from explorer.store.marked import Marked, every_marked, marks_version
from explorer.store.slices import Slice, sentence
from explorer.store.store import Store
from explorer.store.where_words import slice_in
from explorer.ui.shared.links import resolve_link, resolve_slice, slice_words
from tests.explorer.store.made_up import ONE
from tests.support.brute_force import NAME
from tests.support.wording import Wording, line_with

LIST = "For \u201cTuesday\u201d"


@pytest.fixture
def marked(store: Store) -> Store:
    for edit in (
        starring(["film 0", "film 1"], on=True),
        tagging("film 1", ["apex"]),
        noting("film 2", "x"),
        listing(LIST, [ListedCase("film 4", "Mass"), ListedCase("gone"), ListedCase("film 3")]),
    ):
        store.change_marks(NAME, edit)
    return store


def where(store: Store, words: str) -> Slice:
    return slice_in(store, NAME, "one", words, {})


@pytest.mark.parametrize(
    ("words", "films", "said"),
    [
        ("marked=starred", {"0", "1"}, "starred"),
        ("marked=any", {"0", "1", "2", "3", "4"}, "marked in any way"),
        ("marked=noted", {"2"}, "with a note"),
        ("marked=tag apex", {"1"}, "tagged \u201capex\u201d"),
        (f"marked=list {LIST}", {"3", "4"}, f"in the list \u201c{LIST}\u201d"),
    ],
)
def test_a_mark_picks_its_films(marked: Store, words: str, films: set[str], said: str, wording: Wording) -> None:
    asked = where(marked, words)
    names = {f"film {each}" for each in films}
    assert {film.case for film in marked.page(asked)} == names
    assert marked.count(asked).films == len(names)
    assert set(marked.rows(asked)["case"].to_pylist()) == names
    wording(sentence(asked), said)
    assert resolve_slice(marked, slice_words(asked)) == asked
    assert LIST not in str(slice_words(asked)) and "apex" not in str(slice_words(asked))


def test_it_is_asked_anew_when_marks_change(marked: Store, folder: Folder) -> None:
    before, version = where(marked, "marked=starred"), marks_version(marked.marks(NAME))
    assert marked.count(before).films == 2
    for edit in (starring(["film 3"], on=True), tagging("film 3", ["new"])):
        marked.change_marks(NAME, edit)
    assert marked.count(where(marked, "marked=starred")).films == 3
    assert marks_version(marked.marks(NAME)) != version
    marks_file(folder).unlink()
    assert marked.count(where(marked, "marked=starred")).films == 0


def test_a_link_with_a_strangers_mark_is_followed_without_it(marked: Store, wording: Wording) -> None:
    words = slice_words(Slice(NAME, "one", marked=Marked("list", ("film 0",), "of somebody else")))
    found = resolve_link(marked, words)
    assert found.slice.marked is None
    assert len(found.complaints) == 1
    wording(found.complaints, "mark")


def test_marks_that_cannot_be_read_are_told_of(marked: Store, folder: Folder, wording: Wording) -> None:
    marks_file(folder).write_text("{")
    wording(line_with(marked.unchecked(NAME, "one"), "rows.marks"))
    assert [each.kind for each in every_marked(marked.marks(NAME))] == ["any", "starred", "noted"]


def test_a_word_alone_is_no_slice() -> None:
    with pytest.raises(WrongFilter, match="marked=starred"):
        Slice(NAME, ONE.model, marked="starred")  # type: ignore[arg-type]
