"""How figures are written: rounding, signs, dashes, intervals, percentages and p."""

from __future__ import annotations

from math import nan

import pytest

from explorer.core.figures import (
    Estimate,
    difference_text,
    earned_digits,
    estimate_text,
    figure_text,
    fixed,
    p_text,
    percent_rate_text,
    percent_text,
    percent_texts,
    rate_text,
    ratio_text,
    share_texts,
    signed,
    significant,
    with_hyphens,
)
from explorer.core.rates import Rate


@pytest.mark.parametrize("n", [2, 7, 60, 241, 999, 12_000, 377_110])
def test_no_rate_reads_0_or_1_unless_it_is(n: int) -> None:
    for hits in (0, 1, n // 2, n - 1, n):
        rate = Rate(hits, n)
        assert rate.value is not None and rate.interval is not None
        shares = (rate.value, *rate.interval)
        written = [(share_texts(*shares), 1), (share_texts(*shares, digits=3), 1), (percent_texts(*shares), 100)]
        for texts, whole in written:
            for share, text in zip(shares, texts, strict=True):
                assert (
                    text[0] in "<>"
                    or (float(text) == 0) is (share < 1e-9)
                    and (float(text) == whole) is (share > 1 - 1e-9)
                )
                assert len(text.partition(".")[2]) <= 3, "three decimals at most"


def test_figures_that_stand_together_have_the_decimals_that_all_of_them_need() -> None:
    assert share_texts(1 / 241, 0.0007, 0.023) == ("0.004", "0.001", "0.023")
    assert share_texts(1 / 241, 0.0004, 0.9999) == ("0.004", "<0.001", ">0.999")
    assert share_texts(0.87, 0.75, 0.94) == ("0.87", "0.75", "0.94")
    assert percent_texts(0.87, 0.75, 0.94) == ("87", "75", "94")
    assert percent_texts(1 / 241, 0.01, 0.023) == ("0.4", "1.0", "2.3")
    assert percent_texts(0.00004, 0.5, 0.99999) == ("<0.01", "50.00", ">99.99")
    assert share_texts(0.3, 1e-17) == ("0.30", "0.00")  # what rounding leaves of 0


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (fixed(-0.004), "0.00"),
        (fixed(-0.4), "\u22120.40"),
        (signed(0.0304), "+0.030"),
        (signed(-0.0304, 2), "\u22120.03"),
        (signed(0.00001), "0.000"),
        (significant(0.00012345), "0.0001234"),
        (ratio_text(4.21), "1 : 4.2"),
        (ratio_text(1234.5), "1 : 1,234"),
        (p_text(0.0004), "<0.001"),
        (p_text(0.0314), "0.031"),
        (percent_text(0.58), "58 %"),
        (percent_rate_text(Rate(14, 24)), "58 % [39\u201376]"),
        (rate_text(Rate(27, 31)), "0.87 [0.71\u20130.95]"),
        (rate_text(Rate(0, 0), "no positives"), "no positives"),
        (figure_text(0.5123, 0.49, 0.53), "0.512 [0.490\u20130.530]"),
        (figure_text(0.5123), "0.512"),
        (figure_text(nan), "undefined"),
        (figure_text(0.05, 0.08, 0.31), "0.050 [0.080\u20130.310]!"),
        (estimate_text(Estimate(0.71, 0.66, 0.76), digits=2), "0.71 [0.66\u20130.76]"),
        (difference_text(-0.0123, -0.03, 0.009), "\u22120.012 [\u22120.030, +0.009]"),
        (difference_text(0.2), "+0.200"),
        (difference_text(nan), "undefined"),
        (with_hyphens("\u22120.1 [0.2\u20130.3]"), "-0.1 [0.2-0.3]"),
    ],
)
def test_each_kind_of_figure_has_one_style(written: str, text: str) -> None:
    assert written == text


def test_a_column_has_as_many_decimals_as_its_least_sure_row_earns() -> None:
    assert earned_digits([(0.51, 0.55), (0.60, 0.69)]) == 3
    assert earned_digits([(0.51, 0.55), (0.10, 0.69)]) == 2
