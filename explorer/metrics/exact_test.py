"""Fisher's exact test of two rates, one-sided."""

from __future__ import annotations

from explorer.core.rates import Rate


def more_often_p(here: Rate, rest: Rate) -> float:
    """How often chance alone brings as many of all hits here as there are, or more (Fisher's exact test, one-sided).

    1 where nothing was counted on a side. Films count as independent of one another.
    """
    from scipy.stats import hypergeom  # a third of a second, and nothing else needs it

    if not here.n or not rest.n:
        return 1.0
    return float(hypergeom.sf(here.hits - 1, here.n + rest.n, here.hits + rest.hits, here.n))
