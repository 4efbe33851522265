"""What a browser sent, before anything is made of it: plain values of a bounded size."""

from __future__ import annotations

import json
import math

import pytest

from explorer.ui.shared.request_values import (
    MAX_SAFE_INTEGER,
    clamped,
    is_plain,
    number_or_none,
    string_set,
    whole_number,
)


@pytest.mark.parametrize(
    "sent", [math.nan, math.inf, 2**53 + 1, 10**400, "\ud800", ["\udfff"], {"\ud800": 1}, [0] * 10**5]
)
def test_what_no_page_writes_is_not_plain(sent: object) -> None:
    assert not is_plain(sent) and not is_plain([{"a": sent}])


def test_what_a_page_writes_is_plain() -> None:
    sent = {
        "text": "\u00e9\U0001fac0" * 100,
        "n": [0, -1, 0.5, MAX_SAFE_INTEGER, True, None],
        "deep": json.loads("[" * 500 + "]" * 500),
    }
    assert is_plain(sent)


@pytest.mark.parametrize(
    ("sent", "is_whole"),
    [
        ("0", 0),
        ("007", 7),
        ("12", 12),
        ("9" * 5000, 100),
        ("101", 100),
        ("-1", 1),
        ("1.0", 1),
        ("\u0663", 1),
        (3, 1),
        (None, 1),
    ],
)
def test_whole_numbers_of_an_address(sent: object, is_whole: int) -> None:
    assert whole_number(sent, 1, most=100) == is_whole


def test_numbers_are_kept_within_what_can_be_drawn() -> None:
    odd = [math.nan, "5", None, -math.inf, -(10**400), 10**400, math.inf, 7.9]
    assert [clamped(each, (5, 10)) for each in odd] == [5, 5, 5, 5, 5, 10, 10, 7]
    assert [number_or_none(each) for each in (10**400, -(10**400), 1, True, "1", None)] == [
        math.inf,
        -math.inf,
        1.0,
        None,
        None,
        None,
    ]
    assert string_set(["a", {}, ["b"], None]) == {"a"} and string_set("ab") == frozenset()
