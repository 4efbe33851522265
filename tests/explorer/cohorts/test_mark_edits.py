"""What somebody types is kept as they meant it, or refused in words."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from explorer.cohorts.case_marks import CaseMark, CaseMarks, ListedCase, WrongMark
from explorer.cohorts.mark_edits import (
    Edit,
    deleting,
    list_name,
    listing,
    noting,
    renaming,
    starring,
    tagging,
    unlisting,
)
from tests.support.wording import Wording

MARKS = CaseMarks({"a": CaseMark(True)}, {"one": (ListedCase("a", "Mass"), ListedCase("b")), "two": ()})


def test_tags_are_short_words_each_once_in_the_order_of_the_alphabet() -> None:
    marks = tagging("a", ["  Subtle ", "apex", "SUBTLE", "", "two  words"])(MARKS)
    assert marks.of("a") == CaseMark(True, ("apex", "subtle", "two words"))
    assert marks.tags() == ("apex", "subtle", "two words")


def test_a_note_is_plain_text_with_its_lines() -> None:
    assert noting("b", " first\nsecond\x00\u202e ")(MARKS).of("b").note == "first\nsecond"
    assert noting("b", "e\u0301")(MARKS).of("b").note == "\u00e9"


def test_stars_go_on_several_cases_and_off_again() -> None:
    marks = starring(["a", "b"], on=True)(MARKS)
    assert {case for case, mark in marks.cases.items() if mark.starred} == {"a", "b"}
    assert starring(["a", "b"], on=False)(marks).cases == {}


def test_a_case_stands_in_a_list_once_where_it_was_for_what_it_was() -> None:
    marks = listing("one", [ListedCase("c", "Nodule"), ListedCase("a", "Hernia")])(MARKS)
    assert marks.lists["one"] == (ListedCase("a", "Mass"), ListedCase("b"), ListedCase("c", "Nodule"))
    assert marks.lists_of("a") == ("one",)
    assert listing(" new  list ", [])(MARKS).lists["new list"] == ()


def test_lists_are_renamed_in_their_place_emptied_and_deleted() -> None:
    assert list(renaming("one", "uno")(MARKS).lists) == ["uno", "two"]
    assert renaming("one", "one")(MARKS) == MARKS
    assert unlisting("one", ["a", "x"])(MARKS).lists["one"] == (ListedCase("b"),)
    gone = deleting("one")(MARKS)
    assert list(gone.lists) == ["two"] and gone.of("a").starred


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda: tagging("a", ["x" * 33]), "up to 32 characters"),
        (lambda: tagging("a", [str(n) for n in range(13)]), "up to 12 tags"),
        (lambda: noting("a", "x" * 2001), "This one has 2,001"),
        (lambda: listing(" \n", []), "needs a name"),
        (lambda: list_name("x" * 61), "up to 60 characters"),
        (lambda: renaming("one", "two")(MARKS), "list 'two'"),
        (lambda: renaming("gone", "new")(MARKS), "list 'gone'"),
        (lambda: deleting("gone")(MARKS), "list 'gone'"),
        (lambda: unlisting("gone", [])(MARKS), "list 'gone'"),
    ],
)
def test_what_cannot_be_kept_is_refused(
    edit: Callable[[], Edit | CaseMarks | str], said: str, wording: Wording
) -> None:
    with pytest.raises(WrongMark) as refused:
        edit()
    assert said in str(refused.value)
    wording(refused.value)
