"""Agreement between raters: percent agreement, Cohen's and Fleiss' kappa, Gwet's AC1; intervals by a bootstrap.

Ratings of one finding are (n, raters): 1 present, 0 absent, NaN not rated, or any other `categories`. A measure is one
number, or one per sample if `counts` (k, n) gives how often each case counts; NaN if undefined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.arrays import Counts, Floats, ratio

PRESENCE = (0.0, 1.0)
_ROUNDING = 1e-12  # rounding error of a sum of shares


class AgreementMeasure(Protocol):
    """`percent_agreement`, `cohen_kappa`, `fleiss_kappa` or `gwet_ac1`."""

    def __call__(
        self, ratings: ArrayLike, categories: Sequence[float] = ..., counts: Counts | None = ...
    ) -> Floats: ...


def percent_agreement(
    ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None
) -> Floats:
    """Return the share of agreeing pairs of raters, averaged over cases with two or more ratings; NaN without any."""
    agreeing, paired = _agreeing(rating_indicators(ratings, categories))
    counts = _counts(counts, len(paired))
    return ratio(counts @ agreeing, counts @ paired)


def cohen_kappa(ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None) -> Floats:
    """Return Cohen's kappa of two raters, over the cases that both rated (Cohen, Educ. Psychol. Meas. 1960; 20: 37-46).

    (p - e) / (1 - e), where p is the share of cases on which they agree, and e the sum over categories of the product
    of their marginal shares. NaN if both always choose the same category. Raises ValueError unless there are two
    raters.
    """
    choice = rating_indicators(ratings, categories)
    if choice.shape[1] != 2:
        raise ValueError(f"Cohen's kappa compares two raters, not {choice.shape[1]}. Choose a pair, or use Gwet's AC1.")
    cells = np.einsum("nj,nk->njk", choice[:, 0], choice[:, 1]).reshape(len(choice), len(categories) ** 2)
    sums = _counts(counts, len(choice)) @ cells
    tables = sums.reshape(*sums.shape[:-1], len(categories), len(categories))
    n = tables.sum((-2, -1))
    # In counts, so that a chance agreement of exactly 1 is detected.
    expected = (tables.sum(-1) * tables.sum(-2)).sum(-1)
    return ratio(n * np.trace(tables, axis1=-2, axis2=-1) - expected, n * n - expected)


def fleiss_kappa(ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None) -> Floats:
    """Return Fleiss' kappa of two or more raters (Fleiss, Psychological Bulletin 1971; 76: 378-382).

    (p - e) / (1 - e), with p as in `percent_agreement` and e the sum over categories of s squared, where s is the
    category's share of a case's ratings, averaged over all rated cases. Cases may have different raters, and different
    numbers of them (Gwet, Handbook of Inter-Rater Reliability, 4th ed. 2014). NaN if all ratings are of one category.
    """
    observed, s = _observed_and_shares(ratings, categories, counts)
    expected = (s * s).sum(-1)
    return ratio(observed - expected, np.where(expected > 1 - _ROUNDING, 0, 1 - expected))


def gwet_ac1(ratings: ArrayLike, categories: Sequence[float] = PRESENCE, counts: Counts | None = None) -> Floats:
    """Return Gwet's AC1 of two or more raters (Gwet, Br. J. Math. Stat. Psychol. 2008; 61: 29-48).

    (p - e) / (1 - e), with p as in `percent_agreement` and e the sum over q categories of s * (1 - s) / (q - 1), where
    s is the category's share of a case's ratings, averaged over all rated cases. It stays meaningful if nearly all
    cases are in one category, where kappa falls to 0 or below. NaN if no case was rated twice.
    """
    observed, s = _observed_and_shares(ratings, categories, counts)
    expected = (s * (1 - s)).sum(-1) / (len(categories) - 1)
    value: Floats = (observed - expected) / (1 - expected)
    return value


def majority_of_others(ratings: ArrayLike, categories: Sequence[float] = PRESENCE) -> Floats:
    """Return, for each rating, the category that most of the *other* raters chose, (n, raters).

    NaN if no other rater rated the case, or if two categories tie: ties are not broken, so the case is left out for
    that rater.
    """
    choice = rating_indicators(ratings, categories)
    return _most_chosen(choice.sum(1, keepdims=True) - choice, categories)


def majority_of_all(ratings: ArrayLike, categories: Sequence[float] = PRESENCE) -> Floats:
    """Return the category that most raters chose, the same for every rater, (n, raters); NaN as above."""
    choice = rating_indicators(ratings, categories)
    return _most_chosen(np.broadcast_to(choice.sum(1, keepdims=True), choice.shape), categories)


def rating_indicators(ratings: ArrayLike, categories: Sequence[float]) -> Floats:
    """Return 1 where a rater chose a category, (n, raters, categories). Raises ValueError for an unknown category."""
    given, each = np.asarray(ratings, dtype=np.float64), np.asarray(categories, dtype=np.float64)
    if given.ndim != 2 or given.shape[1] < 2:
        raise ValueError(
            f"Ratings have the shape {given.shape}. Give one row per case and one column per rater, at least two."
        )
    if len(each) < 2 or len(np.unique(each)) != len(each):
        raise ValueError("Agreement needs two or more different categories. Include those that no rater chose.")
    choice = np.asarray(given[..., None] == each)
    if (invalid := ~choice.any(-1) & ~np.isnan(given)).any():
        raise ValueError(f"The rating {given[invalid][0]:g} is not one of the categories. Add it or correct it.")
    return choice.astype(np.float64)


def _observed_and_shares(
    ratings: ArrayLike, categories: Sequence[float], counts: Counts | None
) -> tuple[Floats, Floats]:
    """Return the percent agreement, and each category's mean share of a case's ratings (..., categories)."""
    choice = rating_indicators(ratings, categories)
    agreeing, paired = _agreeing(choice)
    rated = choice.sum((1, 2))
    shares = choice.sum(1) / np.maximum(rated, 1)[:, None]
    counts = _counts(counts, len(choice))
    observed = ratio(counts @ agreeing, counts @ paired)
    return observed, ratio(counts @ shares, np.asarray(counts @ (rated > 0))[..., None] + np.zeros(len(categories)))


def _agreeing(choice: Floats) -> tuple[Floats, Floats]:
    """Return the share of agreeing pairs of raters, and whether there are any pairs, both (n,)."""
    by_category = choice.sum(1)
    rated = by_category.sum(1)
    pairs = rated * (rated - 1)
    return np.nan_to_num(ratio((by_category * (by_category - 1)).sum(1), pairs)), (pairs > 0).astype(np.float64)


def _most_chosen(votes: Floats, categories: Sequence[float]) -> Floats:
    """Return the category (n, raters) with the most votes (n, raters, categories); NaN for ties and without votes."""
    most = votes.max(-1, keepdims=True)
    unique = ((votes == most).sum(-1) == 1) & (most[..., 0] > 0)
    majority: Floats = np.where(unique, np.asarray(categories, dtype=np.float64)[votes.argmax(-1)], np.nan)
    return majority


def _counts(counts: Counts | None, n: int) -> Floats:
    return np.ones(n) if counts is None else np.asarray(counts, dtype=np.float64)
