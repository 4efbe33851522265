"""Votes as arrays, and their majority."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.school.reviews.protocols import released_labels
from explorer.school.reviews.ratings import repeated_ratings
from explorer.school.reviews.review import Vote
from tests.explorer.school.reviews.made_reviews import kept, own, ratings_by, review_of

NAN = np.nan
AGREE = Vote("agree all")


def test_corrections_change_the_suggested_labels_and_ties_stay_open() -> None:
    review = review_of([("Mass",), ("Nodule",), ("Mass", "Nodule")])
    removed = Vote("disagree", frozenset({"Nodule"}), frozenset({"Mass"}))
    ratings = ratings_by(
        review,
        [
            {0: AGREE, 1: AGREE, 2: AGREE},
            {0: removed, 1: Vote("disagree"), 2: Vote("agree mostly")},
            {0: AGREE, 1: AGREE},
        ],
    )
    np.testing.assert_array_equal(ratings.present[0], [[1, 0, 0], [0, 1, 0], [1, 0, 0]])
    np.testing.assert_array_equal(ratings.present[1, 1], [NAN, NAN, NAN])  # what is right was not stated
    np.testing.assert_array_equal(ratings.verdicts, [[0, 2, 0], [0, 2, 0], [0, 1, NAN]])
    np.testing.assert_array_equal(ratings.majority(), [[1, 0, 0], [0, 1, 0], [1, 1, 0]])
    np.testing.assert_array_equal(ratings.readers_of_films(), [3, 2, 2])
    assert ratings.uncorrected == 1 and not ratings.open_labels()


def test_two_readers_who_differ_leave_a_film_open_until_a_third_reads_it() -> None:
    review = review_of([None, None])
    two = [{0: own("Mass"), 1: own()}, {0: own("Nodule"), 1: own()}]
    ratings = ratings_by(review, two)
    np.testing.assert_array_equal(ratings.majority(), [[NAN, NAN, 0], [0, 0, 0]])
    assert ratings.open_labels() == [(0, ("Mass", "Nodule"))]
    decided = ratings_by(review, [*two, {0: own("Mass")}])
    np.testing.assert_array_equal(decided.majority()[0], [1, 0, 0])
    assert not decided.open_labels()


def test_the_last_vote_counts_and_replaced_ones_are_counted() -> None:
    review = review_of([None])
    later = kept(0, 0, own("Nodule"), revision=2)
    ratings = ratings_by(review, [{0: own("Mass")}, {0: own("Nodule")}], [later])
    np.testing.assert_array_equal(ratings.majority(), [[0, 1, 0]])
    assert ratings.changed == 1


def test_hidden_repeats_count_for_no_majority_and_are_set_beside_the_first_vote() -> None:
    review = review_of([None, None])
    repeats = [kept(0, 0, own("Mass", "Nodule"), again=True), kept(1, 1, own(), again=True)]
    ratings = ratings_by(review, [{0: own("Mass"), 1: own()}, {0: own("Mass")}], repeats)
    np.testing.assert_array_equal(ratings.majority()[0], [1, 0, 0])
    again, films = repeated_ratings(ratings, 0)  # reader 1 has not given the first vote on film 1
    np.testing.assert_array_equal(again, [[1, 1], [0, 1], [0, 0]])
    np.testing.assert_array_equal(films, [0, 0, 0])
    assert len(repeated_ratings(ratings, 1)[0]) == 0


def test_an_uncertain_suggestion_is_no_opinion_until_a_reader_decides_it() -> None:
    """Film 0: one adds the nodule, one removes it, one leaves it. Film 1: all leave it, which is not a tie."""
    review = review_of([("Mass",), ("Mass",)])
    review = replace(review, films=tuple(replace(film, uncertain=("Nodule",)) for film in review.films))
    present = Vote("agree mostly", frozenset({"Nodule"}))
    absent = Vote("agree mostly", frozenset(), frozenset({"Nodule"}))
    ratings = ratings_by(review, [{0: present, 1: AGREE}, {0: absent, 1: AGREE}, {0: AGREE}])
    np.testing.assert_array_equal(ratings.present[0], [[1, 1, 0], [1, 0, 0], [1, NAN, 0]])
    np.testing.assert_array_equal(ratings.majority(), [[1, NAN, 0], [1, NAN, 0]])
    assert ratings.open_labels() == [(0, ("Nodule",))]
    np.testing.assert_array_equal(released_labels(ratings, "two-of-three").labels, [[NAN] * 3, [1, NAN, 0]])
    majority = released_labels(ratings, "majority")
    np.testing.assert_array_equal(majority.labels, [[1, NAN, 0], [1, NAN, 0]])
    assert "1 label stays unknown, because readers left the suggestion uncertain." in majority.notes
