"""Ratings from votes: a call and its certainty, or the call alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.school.reviews.graded_ratings import graded_ratings
from explorer.school.reviews.review import Certainty, Vote
from tests.explorer.school.reviews.made_reviews import kept, own, ratings_by, review_of
from tests.support.wording import Wording

NAN = float("nan")


def sure(certainty: Certainty | None, *findings: str) -> Vote:
    return replace(own(*findings), certainty=certainty)


def test_certainty_counts_where_a_reader_mostly_says_it(wording: Wording) -> None:
    """The first says it always, the second on two of four films, the third on one of four, the fourth read none."""
    first = {0: sure(3, "Mass"), 1: sure(1, "Mass"), 2: sure(1), 3: sure(3, "Nodule")}
    second = {0: sure(2, "Mass"), 1: sure(None, "Mass"), 2: sure(None), 3: sure(2)}
    third = {0: sure(3, "Mass"), 1: sure(None, "Mass"), 2: sure(None), 3: sure(None)}
    found = graded_ratings(ratings_by(review_of([None] * 4), [first, second, third, {}]), "Mass")
    wanted = [[6, 4, 3, 1], [5, NAN, NAN, 2], [1, 1, 0, 0], [NAN] * 4]
    np.testing.assert_array_equal(found.values, np.array(wanted).T)
    assert (found.by_calls, found.unsaid) == ((2,), {1: 2})
    wording(list(found.sentences()), "R3", "2 votes", "R2 2")


def test_only_the_last_vote_on_the_first_reading_is_rated() -> None:
    changed = kept(0, 0, sure(3), revision=2)
    again = kept(0, 0, sure(1, "Mass"), again=True)
    ratings = ratings_by(review_of([None]), [{0: sure(1, "Mass")}], [changed, again])
    assert graded_ratings(ratings, "Mass").values.tolist() == [[1.0]]


def test_a_vote_without_an_opinion_has_no_rating(wording: Wording) -> None:
    review = review_of([("Mass",), ("Mass",)])
    review = replace(review, films=(replace(review.films[0], uncertain=("Nodule",)), review.films[1]))
    votes = [{0: Vote("agree all", certainty=3), 1: Vote("disagree", certainty=3)}]
    ratings = ratings_by(review, votes)
    found = {name: graded_ratings(ratings, name).values[:, 0].tolist() for name in ("Mass", "Nodule")}
    assert str(found) == str({"Mass": [6.0, NAN], "Nodule": [NAN, NAN]})
    assert graded_ratings(ratings, "Nodule").by_calls == ()
