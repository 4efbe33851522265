"""How many readers and cases a study needs to find a difference between two modalities, from an earlier study.

Hillis, Obuchowski and Berbaum, Academic Radiology 2011; 18: 129-142: errors shrink with the number of cases, readers'
differences do not.
"""

from __future__ import annotations

import scipy

from explorer.metrics.multireader import Multireader

LEVEL, POWER = 0.05, 0.8
MOST_CASES = 100_000


def study_power(earlier: Multireader, cases: int, difference: float, readers: int, new_cases: int) -> float:
    """Return the power of a study of `readers` and `new_cases` at a true `difference` of mean AUROC, two modalities.

    `earlier` had `cases`, with the same share of cases with the finding. The test is for readers like these, at 5 %.
    """
    _, _, interaction = earlier.mean_squares
    first, second, third = earlier.covariances
    shared, own = max(second - third, 0), earlier.error_variance - first
    between = max(interaction - own + shared, 0)
    scale = cases / new_cases
    spread = between + scale * (own + (readers - 1) * shared)
    alone = between + scale * (own - shared)
    freedom = spread**2 / (alone**2 / (readers - 1)) if alone > 0 else float("inf")
    noncentral = readers * difference**2 / 2 / spread
    critical = scipy.stats.t.isf(LEVEL / 2, freedom) ** 2
    if freedom == float("inf"):
        return float(scipy.stats.ncx2.sf(critical, 1, noncentral))
    return float(scipy.stats.ncf.sf(critical, 1, freedom, noncentral))


def cases_needed(earlier: Multireader, cases: int, difference: float, readers: int) -> int | None:
    """Return the fewest cases with which so many readers reach 80 % power; None if no number up to 100,000 does."""
    low, high = 1, MOST_CASES
    if study_power(earlier, cases, difference, readers, high) < POWER:
        return None
    while low < high:
        middle = (low + high) // 2
        if study_power(earlier, cases, difference, readers, middle) < POWER:
            low = middle + 1
        else:
            high = middle
    return low
