"""Agreement between raters: percent agreement, Cohen's kappa and Gwet's AC1, each with n and a bootstrap interval.

Ratings are (n, raters), of one finding: 1 present, 0 absent, NaN not rated, or any other `categories`. A measure is one
number, or with `counts` (k, n), how often each case counts, one for each of k samples; NaN where it is undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.arrays import Counts, Floats, ratio

PRESENCE = (0.0, 1.0)


class AgreementMeasure(Protocol):
    """`percent_agreement`, `cohen_kappa` or `gwet_ac1`."""

    def __call__(
        self, ratings: ArrayLike, categories: Sequence[float] = ..., counts: Counts | None = ...
    ) -> Floats: ...


def percent_agreement(
    ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None
) -> Floats:
    """Share of agreeing pairs of raters, averaged over the cases that two or more rated; undefined without any."""
    agreeing, paired = _agreeing(chosen(ratings, categories))
    counts = _counts(counts, len(paired))
    return ratio(counts @ agreeing, counts @ paired)


def cohen_kappa(ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None) -> Floats:
    """Cohen's kappa of two raters, over the cases that both rated (Cohen, Educ. Psychol. Meas. 1960; 20: 37-46).

    (p - e) / (1 - e), p the share of cases on which they agree, e the sum over the categories of the product of the two
    raters' own shares. Undefined where both always choose the same category. Raises ValueError for other than two.
    """
    choice = chosen(ratings, categories)
    if choice.shape[1] != 2:
        raise ValueError(
            f"Cohen's kappa compares two raters, not {choice.shape[1]}. Choose a pair, or take Gwet's AC1."
        )
    cells = np.einsum("nj,nk->njk", choice[:, 0], choice[:, 1]).reshape(len(choice), len(categories) ** 2)
    sums = _counts(counts, len(choice)) @ cells
    tables = sums.reshape(*sums.shape[:-1], len(categories), len(categories))
    n = tables.sum((-2, -1))
    # In counts, so that an agreement by chance of exactly 1 is seen as such.
    expected = (tables.sum(-1) * tables.sum(-2)).sum(-1)
    return ratio(n * np.trace(tables, axis1=-2, axis2=-1) - expected, n * n - expected)


def gwet_ac1(ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None) -> Floats:
    """Gwet's AC1 of two or more raters (Gwet, Br. J. Math. Stat. Psychol. 2008; 61: 29-48).

    (p - e) / (1 - e), p as in `percent_agreement`, e the sum over the q categories of s * (1 - s) / (q - 1), s the
    category's share of a case's ratings, averaged over all rated cases. It stays meaningful where nearly all cases are
    of one category, where kappa falls to 0 or below. Undefined where no case was rated twice.
    """
    choice = chosen(ratings, categories)
    agreeing, paired = _agreeing(choice)
    rated = choice.sum((1, 2))
    shares = choice.sum(1) / np.maximum(rated, 1)[:, None]
    counts = _counts(counts, len(choice))
    observed = ratio(counts @ agreeing, counts @ paired)
    s = ratio(counts @ shares, np.asarray(counts @ (rated > 0))[..., None] + np.zeros(len(categories)))
    expected = (s * (1 - s)).sum(-1) / (len(categories) - 1)
    value: Floats = (observed - expected) / (1 - expected)
    return value


def majority_of_others(ratings: ArrayLike, categories: Sequence[float] = PRESENCE) -> Floats:
    """For each rating the category that most of the *other* raters chose, (n, raters).

    NaN where none of them rated the case, and where two categories tie for the most: nobody breaks the tie, and the
    case is left out for that rater.
    """
    choice = chosen(ratings, categories)
    return _most_chosen(choice.sum(1, keepdims=True) - choice, categories)


def majority_of_all(ratings: ArrayLike, categories: Sequence[float] = PRESENCE) -> Floats:
    """The category that most of all raters chose, the same for every rater, (n, raters); NaN as above."""
    choice = chosen(ratings, categories)
    return _most_chosen(np.broadcast_to(choice.sum(1, keepdims=True), choice.shape), categories)


def chosen(ratings: ArrayLike, categories: Sequence[float]) -> Floats:
    """1 where a rater chose a category, (n, raters, categories). Raises ValueError for a rating that is not one."""
    given, each = np.asarray(ratings, dtype=np.float64), np.asarray(categories, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] < 2:
        raise ValueError(
            f"Ratings have the shape {given.shape}. Give a row for each case, a column for each of two or more."
        )
    if len(each) < 2 or len(np.unique(each)) != len(each):
        raise ValueError("Agreement needs two or more different categories. Include those that nobody chose.")
    choice = np.asarray(given[..., None] == each)
    if (strange := ~choice.any(-1) & ~np.isnan(given)).any():
        raise ValueError(f"The rating {given[strange][0]:g} is not one of the categories. Add it or correct it.")
    return choice.astype(np.float64)


def _agreeing(choice: Floats) -> tuple[Floats, Floats]:
    """Share of agreeing pairs of raters and whether there is a pair at all, both (n,)."""
    of_each = choice.sum(1)
    rated = of_each.sum(1)
    pairs = rated * (rated - 1)
    return np.nan_to_num(ratio((of_each * (of_each - 1)).sum(1), pairs)), (pairs > 0).astype(np.float64)


def _most_chosen(votes: Floats, categories: Sequence[float]) -> Floats:
    """The category with the most of votes (n, raters, categories), NaN for ties and without votes, (n, raters)."""
    most = votes.max(-1, keepdims=True)
    alone = ((votes == most).sum(-1) == 1) & (most[..., 0] > 0)
    majority: Floats = np.where(alone, np.asarray(categories, dtype=np.float64)[votes.argmax(-1)], np.nan)
    return majority


def _counts(counts: Counts | None, n: int) -> Floats:
    return np.ones(n) if counts is None else np.asarray(counts, dtype=np.float64)
