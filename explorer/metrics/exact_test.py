"""Fisher's exact test of two rates, one-sided."""

from __future__ import annotations

from explorer.core.rates import Rate


def more_often_p(here: Rate, rest: Rate) -> float:
    """Return the chance of at least as many hits here if hits fall at random (Fisher's exact test, one-sided).

    1 if either n is 0. Films count as independent.
    """
    from scipy.stats import hypergeom  # importing it takes a third of a second, and nothing else needs it

    if not here.n or not rest.n:
        return 1.0
    return float(hypergeom.sf(here.hits - 1, here.n + rest.n, here.hits + rest.hits, here.n))
