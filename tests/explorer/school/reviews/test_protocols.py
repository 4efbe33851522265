"""How votes become labels."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.core.result_table import table_in
from explorer.metrics.chi_squared import chi_squared
from explorer.school.reviews.halves_table import halves_table
from explorer.school.reviews.protocols import released_labels, reveal_selection
from explorer.school.reviews.review import ReviewRefusal, Vote
from tests.explorer.school.reviews.made_reviews import own, ratings_by, review_of
from tests.support.wording import Wording

NAN = np.nan
AGREE, MOSTLY = Vote("agree all"), Vote("agree mostly")
COMMON = ("Airspace opacity", "Pleural effusion", "Cardiomegaly")
TWELVE = (*COMMON, *(f"Rare {number}" for number in range(9)))


def test_ties_stay_unknown_or_leave_the_film_out(wording: Wording) -> None:
    readers = [{0: own("Mass"), 1: own(), 2: own()}, {0: own("Nodule"), 1: own()}]
    ratings = ratings_by(review_of([None] * 3), readers)
    majority = released_labels(ratings, "majority")
    np.testing.assert_array_equal(majority.labels, [[NAN, NAN, 0], [0, 0, 0], [NAN, NAN, NAN]])
    wording(majority.notes, "2 films have", "1 film is left out", "2 labels of 1 film")
    adjudicated = released_labels(ratings, "adjudicated")
    np.testing.assert_array_equal(adjudicated.labels, [[NAN] * 3, [0, 0, 0], [NAN] * 3])
    wording(adjudicated.notes, "1 film is left out: readers tie")


def test_two_of_three_takes_whole_lists(wording: Wording) -> None:
    """Film 0: two alike. Film 1: each finding has a majority, but no two lists are alike. Film 2: one reader."""
    first = {0: own("Mass"), 1: own("Mass", "Nodule"), 2: own("Mass")}
    second = {0: own("Mass"), 1: own("Mass")}
    third = {0: own("Nodule"), 1: own("Nodule")}
    found = released_labels(ratings_by(review_of([None] * 3), [first, second, third]), "two-of-three")
    np.testing.assert_array_equal(found.labels, [[1, 0, 0], [NAN] * 3, [NAN] * 3])
    wording(found.notes, "1 film has", "2 films are left out")


def revealed(eligible: int = 381, rare: int = 123) -> tuple:
    """1,000 films as in REVEAL-CXR: `eligible` with two votes for all labels, `rare` of these with a rare finding."""
    random = np.random.default_rng(2)
    suggested = []
    for film in range(1000):
        count = 1 + film % 3
        names = tuple(COMMON[:count])
        suggested.append((*names, TWELVE[3 + film % 9]) if film < rare else names)
    third = [AGREE if each < 0.5 else MOSTLY for each in random.random(1000)]
    two = [AGREE if film < eligible else MOSTLY for film in range(1000)]
    readers = [dict(enumerate(two)), dict(enumerate(two)), dict(enumerate(third))]
    return suggested, ratings_by(review_of(suggested, TWELVE), readers)


def test_the_selection_of_reveal_cxr(wording: Wording) -> None:
    """381 eligible films, 123 with a less common finding, 77 more with most findings, 100 and 100."""
    suggested, ratings = revealed()
    found = reveal_selection(ratings)
    chosen = sorted(found.halves)
    assert len(chosen) == 200 and set(range(123)) <= set(chosen) and max(chosen) < 381
    halves = list(found.halves.values())
    assert halves.count("released") == halves.count("held out") == 100
    others = [len(suggested[film]) for film in chosen if film >= 123]
    assert len(others) == 77
    left = [len(suggested[film]) for film in range(123, 381) if film not in found.halves]
    assert min(others) >= max(left)
    np.testing.assert_array_equal(np.isnan(found.labels).all(1), [film not in found.halves for film in range(1000)])
    assert reveal_selection(ratings).halves == found.halves
    assert reveal_selection(ratings, seed=1).halves != found.halves
    wording(found.notes, "381 films of 1,000", "123 of these and 77 others")


def test_rare_findings_may_be_named_and_halves_are_equal() -> None:
    _, ratings = revealed(eligible=31, rare=9)
    found = reveal_selection(ratings, rare=["Rare 0"], size=50)
    assert len(found.halves) == 30  # all that are eligible, less one
    with_rare = [film for film in found.halves if film == 0]
    assert with_rare and list(found.halves)[0] == 0


def test_the_halves_are_set_side_by_side(wording: Wording) -> None:
    suggested, ratings = revealed()
    found = reveal_selection(ratings)
    facts = {
        "view": {f"f{film}": "AP" if film % 2 else "PA" for film in range(1000)},
        "center": {f"f{film}": "A" for film in range(1000)},
    }
    table = halves_table(ratings.review, found, facts)
    wording(table_in("text", table))
    counts = [[0, 0], [0, 0]]
    for film, half in found.halves.items():
        counts[film % 2][half == "held out"] += 1
    balance = {row["name"]: row for row in table.rows if row["part"] == "balance"}
    assert balance["view"]["p"] == pytest.approx(chi_squared(counts).p)
    assert balance["center"]["p"] is None
    released = sum(int(row["released"] or 0) for row in table.rows if row["part"] == "finding")
    assert released == sum(len(suggested[film]) for film, half in found.halves.items() if half == "released")


def test_nothing_to_release_is_refused(wording: Wording) -> None:
    with pytest.raises(ReviewRefusal) as caught:
        released_labels(ratings_by(review_of([None]), [{0: own()}, {}]), "majority")
    wording(caught.value)
    with pytest.raises(ReviewRefusal) as caught:
        released_labels(ratings_by(review_of([None]), [{0: own()}, {0: own()}]), "reveal")
    wording(caught.value)
