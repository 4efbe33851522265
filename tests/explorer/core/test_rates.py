"""Rates: a value with its interval, or none where nothing was counted."""

from __future__ import annotations

import pytest

from explorer.core.rates import Rate, percent_texts, share_texts


def test_a_rate_has_its_interval_around_it() -> None:
    rate = Rate(14, 31)
    assert rate.value == pytest.approx(14 / 31)
    assert rate.interval is not None
    assert rate.interval == pytest.approx((0.292, 0.622), abs=1e-3)


def test_nothing_counted_is_no_rate_at_all() -> None:
    assert (Rate(0, 0).value, Rate(0, 0).interval) == (None, None)


@pytest.mark.parametrize(("hits", "n"), [(4, 3), (-1, 3), (0, -1)])
def test_counts_that_cannot_be_are_refused(hits: int, n: int) -> None:
    with pytest.raises(ValueError, match="not a rate"):
        Rate(hits, n)


@pytest.mark.parametrize("n", [2, 7, 60, 241, 999, 12_000, 377_110])
def test_no_rate_reads_0_or_1_unless_it_is(n: int) -> None:
    for hits in (0, 1, n // 2, n - 1, n):
        rate = Rate(hits, n)
        assert rate.value is not None and rate.interval is not None
        shares = (rate.value, *rate.interval)
        written = [(share_texts(*shares), 1), (share_texts(*shares, digits=3), 1), (percent_texts(*shares), 100)]
        for texts, whole in written:
            for share, text in zip(shares, texts, strict=True):
                assert (float(text) == 0) is (share < 1e-9) and (float(text) == whole) is (share > 1 - 1e-9), text


def test_figures_that_stand_together_have_the_decimals_that_all_of_them_need() -> None:
    assert share_texts(1 / 241, 0.0007, 0.023) == ("0.004", "0.001", "0.023")
    assert share_texts(1 / 241, 0.0004, 0.023) == ("0.0041", "0.0004", "0.0230")
    assert share_texts(0.87, 0.75, 0.94) == ("0.87", "0.75", "0.94")
    assert percent_texts(0.87, 0.75, 0.94) == ("87", "75", "94")
    assert percent_texts(1 / 241, 0.01, 0.023) == ("0.4", "1.0", "2.3")
    assert share_texts(0.3, 1e-17) == ("0.30", "0.00")  # what rounding leaves of 0
