"""Pearson's chi-squared test, worked by hand and against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from explorer.metrics.chi_squared import chi_squared


def test_a_table_of_two_by_two_worked_by_hand() -> None:
    # Expected 15 everywhere, each count 5 away: 4 x 25 / 15; with Yates's correction 4 x 4.5 x 4.5 / 15.
    counts = [[20, 10], [10, 20]]
    assert chi_squared(counts).statistic == pytest.approx(100 / 15)
    assert chi_squared(counts, yates=True).statistic == pytest.approx(81 / 15)
    assert chi_squared(counts).freedom == 1


@pytest.mark.parametrize("yates", [False, True])
def test_p_is_that_of_scipy(yates: bool) -> None:
    counts = np.array([[8, 10], [1, 4], [9, 13]]) if not yates else np.array([[78, 77], [22, 18]])
    theirs = chi2_contingency(counts, correction=yates)
    ours = chi_squared(counts, yates=yates)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert ours.freedom == theirs.dof


def test_equal_columns_have_a_p_of_1() -> None:
    assert chi_squared([[3, 3], [5, 5]]).p == 1
    assert chi_squared([[3, 3], [5, 5]], yates=True).p == 1


@pytest.mark.parametrize("counts", [[[1, 2]], [[1, 2], [0, 0]], [[0, 2], [0, 3]], [1, 2]])
def test_tables_without_a_comparison_are_errors(counts: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="counts|Counts"):
        chi_squared(counts)
