"""A balanced draw against every draw that there could be."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.school.playlists.balance import balanced_draw

UNITS = "uvwxy"
_groups = st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from(UNITS), max_size=5), max_size=3)


def every_draw(groups: dict[str, list[str]], n: int) -> list[list[int]]:
    """The counts of the groups, the fewest first, of each way to give units away."""
    takers = [[None, *(name for name in groups if unit in groups[name])] for unit in UNITS]
    drawn = ([name for name in each if name is not None] for each in itertools.product(*takers))
    return [sorted(each.count(name) for name in groups) for each in drawn if len(each) <= n]


@given(_groups, st.integers(0, 6))
@settings(max_examples=150)
def test_nobody_has_fewer_than_could_be(groups: dict[str, list[str]], n: int) -> None:
    found = balanced_draw(groups, n)
    assert all(unit in groups[name] for unit, name in found.items())
    counts = sorted(list(found.values()).count(name) for name in groups)
    possible = every_draw(groups, n)
    most = max(map(sum, possible))
    assert sum(counts) == most
    assert counts == max(each for each in possible if sum(each) == most)  # as even as can be


@given(_groups, st.integers(0, 6), st.randoms())
def test_the_order_of_the_groups_says_nothing(groups: dict[str, list[str]], n: int, random: object) -> None:
    names = list(groups)
    random.shuffle(names)  # type: ignore[attr-defined]
    assert balanced_draw({name: groups[name] for name in names}, n) == balanced_draw(groups, n)


def test_those_who_have_some_already_come_later() -> None:
    assert balanced_draw({"a": ["u", "v"], "b": ["w", "x"]}, 2, {"a": 2}) == {"w": "b", "x": "b"}
