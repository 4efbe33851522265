"""The code of a class: its symbols, its number, and what is taken for it."""

from __future__ import annotations

import pytest

from explorer.school.classroom.join_code import CODE_LENGTH, CODE_SYMBOLS, is_code, new_code

ALIKE = ("0OQ", "1IL", "2Z", "5S", "8B", "UV")  # of each at most one


def test_no_symbol_is_taken_for_another_and_none_makes_words() -> None:
    assert len(set(CODE_SYMBOLS)) == len(CODE_SYMBOLS) and not set(CODE_SYMBOLS) & set("AEIOU")
    assert not [group for group in ALIKE if len(set(group) & set(CODE_SYMBOLS)) > 1]
    assert len(CODE_SYMBOLS) ** CODE_LENGTH > 50_000_000_000


def test_codes_are_drawn_from_all_symbols() -> None:
    codes = [new_code() for _ in range(2000)]
    assert len(set(codes)) > 1990
    assert all(len(code) == CODE_LENGTH for code in codes) and {each for code in codes for each in code} == set(
        CODE_SYMBOLS
    )


@pytest.mark.parametrize("typed", ["CDFGHJK3", "cdfghjk3", " cdfg-hjk3 ", "C D F G H J K 3", "cdfg\u00a0hjk3"])
def test_a_code_is_taken_as_it_is_typed(typed: str) -> None:
    assert is_code(typed, "CDFGHJK3")


@pytest.mark.parametrize(
    "typed", [None, 3, "CDFGHJK", "CDFGHJK33", "CDFGHJK4", "CDFGHJK\ud800", "x" * 1000, ["CDFGHJK3"]]
)
def test_nothing_else_is(typed: object) -> None:
    assert not is_code(typed, "CDFGHJK3")


def test_ten_thousand_guesses_find_no_code() -> None:
    code = new_code()
    assert not any(is_code(new_code(), code) for _ in range(10_000))
