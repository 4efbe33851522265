"""Names and values as they are typed: what is quoted is one, whatever stands in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.named_values import named_values, quote_value


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("", []),
        (" , ", []),
        ("center=B, view = AP", [("center", "B"), ("view", "AP")]),
        ('finding=A finding\'s "own" name', [("finding", 'A finding\'s "own" name')]),
        ('finding="Mass, left", view=PA', [("finding", "Mass, left"), ("view", "PA")]),
        ('"a=b, c"=0.3', [("a=b, c", "0.3")]),
        ('finding="a ""b"" c"', [("finding", 'a "b" c')]),
        ("Mass", [("Mass", None)]),
        ("finding=a=b", [("finding", "a=b")]),
        ('finding=5" film, view=PA', [("finding", '5" film'), ("view", "PA")]),
        ("finding=", [("finding", "")]),
    ],
)
def test_pairs(text: str, pairs: list[tuple[str, str | None]]) -> None:
    assert list(named_values(text)) == pairs


@given(st.lists(st.tuples(st.text(min_size=1, max_size=9), st.text(min_size=1, max_size=9)), min_size=1, max_size=3))
def test_what_is_quoted_is_read_back(pairs: list[tuple[str, str]]) -> None:
    written = ",".join(f"{quote_value(name)}={quote_value(value)}" for name, value in pairs)
    assert list(named_values(written)) == pairs
