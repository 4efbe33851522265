"""Which film helps most to be read next: the one whose labels a further vote is likeliest to decide."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.school.reviews.ratings import Ratings, ratings_of
from explorer.school.reviews.review_database import ReviewDatabase

LEFT_TO_CHANCE = 0.25  # share of films that keep their random place, so that a place does not tell of disagreement
_AGREED, _UNREAD, _READ_ONCE, _TIED = range(4)  # what a further vote decides: nothing new ... a tie


def open_next(database: ReviewDatabase, reader: int, place: int) -> None:
    """Fix which film a reader reads at a place, unless it is fixed already: with helpful order, the most helpful one.

    The rest of the reader's films stay in their random order, and hidden repeats at their places. The same seed and
    votes give the same film.
    """
    rules = database.review.rules
    if rules.order == "random" or database.is_opened(reader, place):
        return
    keeps = np.random.default_rng([rules.seed, reader, place]).random() < LEFT_TO_CHANCE
    ranks = [] if keeps else helpfulness(ratings_of(database.review, len(database.codes), database.votes()))
    database.open_reading(reader, place, ranks)


def helpfulness(ratings: Ratings) -> Sequence[tuple[int, int]]:
    """Return how much a further vote helps each film; larger is more.

    First come films on which readers tie, those on most findings first. Then films with one reader, most corrections of
    the suggested labels first; then unread films, most findings first on which suggestion and model differ; last, films
    with a majority, most findings first on which anyone differs.
    """
    read, ties = ratings.readers_of_films(), ratings.ties().sum(1)
    stage = np.select([ties > 0, read == 1, read == 0], [_TIED, _READ_ONCE, _UNREAD], _AGREED)
    doubts = np.array([film.doubt for film in ratings.review.films], np.intp)
    amount = np.select([ties > 0, read == 1, read == 0], [ties, _corrected(ratings), doubts], _disputed(ratings))
    return [(int(one), int(other)) for one, other in zip(stage, amount, strict=True)]


def _corrected(ratings: Ratings) -> NDArray[np.intp]:
    """Return on how many findings of each film any reader differs from the suggestion (films,); 0 without one."""
    found = np.zeros(len(ratings.present), np.intp)
    for place, film in enumerate(ratings.review.films):
        if film.suggested is not None:
            suggested = np.array([name in film.suggested for name in ratings.review.findings])
            sure = np.array([name not in film.uncertain for name in ratings.review.findings])
            rows = ratings.present[place]
            found[place] = ((~np.isnan(rows) & (rows != suggested)).any(0) & sure).sum()
    return found


def _disputed(ratings: Ratings) -> NDArray[np.intp]:
    """Return on how many findings of each film two readers differ (films,)."""
    return np.asarray(((ratings.present == 1).any(1) & (ratings.present == 0).any(1)).sum(1), np.intp)
