"""How the films of a review are shared among readers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.school.reviews.allocation import allocated
from explorer.school.reviews.review import ReviewRefusal, ReviewRules
from tests.support.wording import Wording


@given(st.integers(1, 60), st.integers(1, 8), st.data())
def test_blocks_give_every_film_its_readers_and_every_reader_as_many(
    films: int, readers: int, data: st.DataObject
) -> None:
    per_film, anchors = data.draw(st.integers(1, readers)), data.draw(st.integers(0, films))
    rules = ReviewRules(per_film=per_film, anchors=anchors, seed=data.draw(st.integers(0, 9)))
    shares = allocated(films, readers, rules)
    assert shares == allocated(films, readers, rules)
    assert [[each.place for each in share] for share in shares] == [list(range(len(share))) for share in shares]
    first = [[each.film for each in share if not each.again] for share in shares]
    assert all(len(set(each)) == len(each) for each in first)
    assert max(map(len, first)) - min(map(len, first)) <= 1
    times = Counter(film for each in first for film in each)
    assert sorted(times.values()) == sorted([readers] * anchors + [per_film] * (films - anchors))


@given(st.integers(1, 60), st.floats(0, 0.5))
def test_a_repeat_comes_after_its_film_and_as_often_as_asked(films: int, repeats: float) -> None:
    (share,) = allocated(films, 1, ReviewRules("everyone", repeats=repeats))
    place = {each.film: each.place for each in share if not each.again}
    again = [each for each in share if each.again]
    assert len(again) == min(round(films * repeats), films // 2)
    assert len({each.film for each in again}) == len(again)
    assert all(place[each.film] < films // 2 <= each.place for each in again)


def test_readers_share_films_with_all_others_and_read_in_different_orders() -> None:
    shares = allocated(60, 6, ReviewRules(per_film=3, repeats=0))
    films = [{each.film for each in share} for share in shares]
    assert all(len(one & other) >= 9 for one, other in combinations(films, 2))  # 60 * 3 pairs, 15 pairs of readers
    everyone = allocated(20, 3, ReviewRules("everyone", repeats=0))
    assert len({tuple(each.film for each in share) for share in everyone}) == 3


@pytest.mark.parametrize(
    ("films", "readers", "rules"),
    [
        (0, 3, ReviewRules()),
        (10, 51, ReviewRules()),
        (10, 2, ReviewRules(per_film=3)),
        (10, 3, ReviewRules(anchors=11)),
        (10, 3, ReviewRules(repeats=0.6)),
        (10, 3, ReviewRules("everyone", most=9)),
        (100, 5, ReviewRules(per_film=3, most=59)),
    ],
    ids=["no film", "readers", "per film", "anchors", "repeats", "everyone", "most"],
)
def test_what_cannot_be_shared_is_refused(films: int, readers: int, rules: ReviewRules, wording: Wording) -> None:
    with pytest.raises(ReviewRefusal) as caught:
        allocated(films, readers, rules)
    wording(caught.value)
