"""What no script of ours sends: odd values, and what the page sends with one of them in it, for hypothesis."""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from explorer.ui.shared.request_values import MAX_TEXT_CHARS, MAX_VALUES

ODD = [None, True, False, 0, -1, 2**53, 2**63, 2**64, 10**400, -(10**400), 0.5, -0.0, 1e308, math.inf, -math.inf]
ODD += [
    math.nan,
    "",
    " ",
    "0",
    "9" * 4300,
    "9" * 5000,
    "-1",
    "1e400",
    "inf",
    "nan",
    "\u0663",
    "\u00b2",
    "\ud800",
    "a\0b",
]
ODD += [
    "x" * (MAX_TEXT_CHARS + 1),
    "mass" * 100,
    "%ff%00",
    "../../etc/passwd",
    "phantom://v1/A/9?Mass=left,9",
    "<b>",
    "\u202e",
]
ODD += [
    [],
    [[]],
    [{}],
    {},
    {"": None},
    {"state": {"state": {}}},
    [None] * 100,
    list(range(MAX_VALUES + 1)),
    "TOKEN",
    "CASE",
]
nasty = st.one_of(
    st.sampled_from(ODD),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
        max_leaves=6,
    ),
)


def places(sent: object, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in it something can be put in the place of something."""
    yield at
    items = sent.items() if isinstance(sent, dict) else enumerate(sent) if isinstance(sent, list) else ()
    for key, value in items:
        yield from places(value, (*at, key))


def put(sent: Any, at: tuple[Any, ...], value: object) -> object:  # noqa: ANN401 - JSON
    if not at:
        return value
    inner = sent
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return sent


@st.composite
def spoilt(draw: st.DrawFn, sent: object) -> object:
    """What the page sends with one thing in it replaced, another left out or an unknown one added."""
    changed = deepcopy(sent)
    at = draw(st.sampled_from(list(places(changed))))
    if at and isinstance(at[-1], str) and draw(st.booleans()):
        return put(changed, (*at[:-1], draw(st.text(max_size=8))), draw(nasty))
    return put(changed, at, draw(nasty))
