"""Fisher's exact test against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import fisher_exact

from explorer.core.rates import Rate
from explorer.metrics.exact_test import more_often_p


def test_p_is_that_of_scipy() -> None:
    dice = np.random.default_rng(0)
    for _ in range(200):
        n, others = (int(each) for each in dice.integers(1, 60, 2))
        here, rest = Rate(int(dice.integers(0, n + 1)), n), Rate(int(dice.integers(0, others + 1)), others)
        table = [[here.hits, n - here.hits], [rest.hits, others - rest.hits]]
        assert more_often_p(here, rest) == pytest.approx(fisher_exact(table, alternative="greater").pvalue, rel=1e-9)


def test_large_counts_do_not_overflow() -> None:
    assert 0 < more_often_p(Rate(600, 50_000), Rate(400, 60_000)) < 1e-19


@pytest.mark.parametrize(("here", "rest"), [(Rate(0, 0), Rate(3, 5)), (Rate(3, 5), Rate(0, 0))])
def test_nothing_to_compare_is_no_evidence(here: Rate, rest: Rate) -> None:
    assert more_often_p(here, rest) == 1
