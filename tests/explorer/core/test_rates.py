"""Rates: a value with its interval, or none where nothing was counted."""

from __future__ import annotations

import pytest

from explorer.core.rates import Rate


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
