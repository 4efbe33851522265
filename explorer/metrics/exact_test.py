"""Fisher's exact test of two rates, one-sided."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp

from explorer.core.rates import Rate


def more_often_p(here: Rate, rest: Rate) -> float:
    """How often chance alone brings as many of all hits here as there are, or more (Fisher's exact test, one-sided).

    1 where nothing was counted on a side. Films count as independent of one another.
    """
    if not here.n or not rest.n:
        return 1.0
    whole, every = here.n + rest.n, here.hits + rest.hits
    counts = np.arange(here.hits, min(here.n, every) + 1, dtype=np.float64)
    terms = _log_choose(every, counts) + _log_choose(whole - every, here.n - counts) - _log_choose(whole, here.n)
    return float(min(1.0, np.exp(logsumexp(terms))))


def _log_choose(n: float, k: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """The logarithm of how many ways there are; minus infinity where there is none."""
    chosen = np.asarray(k, dtype=np.float64)
    possible = (chosen >= 0) & (chosen <= n)
    inside = np.where(possible, chosen, 0.0)
    return np.where(possible, gammaln(n + 1) - gammaln(inside + 1) - gammaln(n - inside + 1), -np.inf)
