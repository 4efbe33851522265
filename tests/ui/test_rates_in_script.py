"""The page's script writes rates as Python does: none reads 0 or 1 unless it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from explorer.core.rates import Rate, percent_texts, share_texts
from tests.ui.loaded_modules import loaded_modules, run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with loaded_modules(chromium) as page:
        yield page


@pytest.mark.parametrize("n", [2, 7, 60, 241, 999, 12_000])
def test_rates_are_written_as_python_writes_them(page: Page, n: int) -> None:
    for hits in (0, 1, n // 2, n - 1, n):
        rate = Rate(hits, n)
        low, high = rate.interval or (0.0, 1.0)
        figure, *ends = share_texts(rate.value or 0.0, low, high)
        value = {"value": rate.value, "low": low, "high": high}
        assert run(page, "shared/figures.js", "m.rate(v[0])", value) == f"{figure} [{ends[0]}\u2013{ends[1]}]"
        percents = run(page, "shared/figures.js", "m.percentTexts(v, 9)", rate.value, low, high)
        assert percents == list(percent_texts(rate.value or 0.0, low, high))


def test_a_percentage_without_room_for_decimals_is_below_1_or_above_99(page: Page) -> None:
    assert run(page, "shared/figures.js", "m.percentTexts(v, 0)", 0.004, 0, 0.9999, 1) == ["<1", "0", ">99", "100"]
    assert run(page, "shared/figures.js", "m.percentTexts(v, 1)", 0.0004, 0.5, 0.9999) == ["<0.1", "50.0", ">99.9"]
