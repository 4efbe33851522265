"""Wilson's interval against worked examples and scipy."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from models.statistics import wilson


def test_wilsons_interval_of_a_worked_example() -> None:
    # 10 of 20; Wilson score interval without continuity correction: 0.2993 to 0.7007
    assert wilson(10, 20) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert wilson(0, 10)[0] == pytest.approx(0)
    assert wilson(10, 10)[1] == pytest.approx(1)


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 3), (14, 31), (22, 1619), (95, 100)])
def test_it_is_scipys(hits: int, n: int) -> None:
    reference = binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((reference.low, reference.high), abs=1e-6)
