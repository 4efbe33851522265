"""Many equal problems are a line with their number, two examples and what to do; a few have a line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.tabular.problems import MAX_LISTED_PER_KIND, FailedChecks, Problems

FILE = Path("S.csv")


def told(problems: Problems, notes: tuple[str, ...] = ()) -> list[str]:
    with pytest.raises(FailedChecks) as refused:
        problems.refuse(notes)
    return str(refused.value).splitlines()


def some(count: int, problems: Problems) -> Problems:
    for line in range(2, 2 + count):
        problems.add("no score", FILE, line, f"i{line}", kind="cells without a score")
    return problems


def test_none_is_no_refusal() -> None:
    Problems().refuse(["a note"])


def test_a_few_have_a_line_each_the_last_with_what_to_do() -> None:
    problems = some(MAX_LISTED_PER_KIND, Problems())
    problems.advise(FILE, "cells without a score", "Score them.")
    lines = told(problems, ("a note",))
    assert lines[0] == "5 problems found:" and lines[1] == "S.csv, line 2, image 'i2': no score"
    assert lines[-2:] == ["S.csv, line 6, image 'i6': no score. Score them.", "a note"]
    assert len(lines) == MAX_LISTED_PER_KIND + 2


def test_more_are_one_line_in_the_place_of_the_first() -> None:
    problems = some(1_000, Problems())
    problems.add("all else", FILE)
    some(234, problems)
    assert told(problems) == [
        "1,235 problems found:",
        "S.csv: 1,234 cells without a score. First: line 2, image 'i2': no score; line 3, image 'i3': no score",
        "S.csv: all else",
    ]


def test_each_is_told_where_that_is_asked_for() -> None:
    assert len(told(some(1_000, Problems(None, each=True)))) == 1_001
    assert len(told(some(1_000, Problems(each=True)))) == 22


def test_files_are_told_apart_and_what_was_added_can_be_taken_back() -> None:
    problems = some(4, Problems())
    before = problems.state()
    some(4, problems)
    problems.go_back(before)
    for line in range(4):
        problems.add("no score", Path("T.csv"), line, kind="cells without a score")
    assert len(told(problems)) == 9 and problems.count == 8
