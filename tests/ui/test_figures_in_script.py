"""The page's script writes figures as Python does: no rate reads 0 or 1 unless it is, and odd intervals are marked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from explorer.core.figures import (
    difference_text,
    figure_text,
    fixed,
    p_text,
    percent_texts,
    ratio_text,
    share_texts,
    signed,
    significant,
)
from explorer.core.rates import Rate
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
        assert run(page, "shared/figures.js", "m.rateText(v[0])", value) == f"{figure} [{ends[0]}\u2013{ends[1]}]"
        percents = run(page, "shared/figures.js", "m.percentTexts(v)", rate.value, low, high)
        assert percents == list(percent_texts(rate.value or 0.0, low, high))


WRITTEN: dict[str, str] = {
    "m.fixedText(-0.004)": fixed(-0.004),
    "m.fixedText(-0.4)": fixed(-0.4),
    "m.signedText(0.0304, 3)": signed(0.0304),
    "m.signedText(-0.0304)": signed(-0.0304, 2),
    "m.signedText(0.00001)": signed(0.00001, 2),
    "m.significantText(0.12345)": significant(0.12345),
    "m.pText(0.0004)": p_text(0.0004),
    "m.pText(0.0314)": p_text(0.0314),
    "m.ratioText(4.21)": ratio_text(4.21),
    "m.ratioText(1234.4)": ratio_text(1234.4),
    "m.shareTexts([0.0004, 0.9999]).join()": ",".join(share_texts(0.0004, 0.9999)),
    "m.estimateTexts({ value: 0.5123, low: 0.49, high: 0.53 }, 3).join(' ')": figure_text(0.5123, 0.49, 0.53),
    "m.differenceTexts({ value: -0.0123, low: -0.03, high: 0.009 }, 3).join(' ')": difference_text(
        -0.0123, -0.03, 0.009
    ),
}


@pytest.mark.parametrize("body", WRITTEN)
def test_each_kind_of_figure_is_written_as_python_writes_it(page: Page, body: str) -> None:
    assert run(page, "shared/figures.js", body) == WRITTEN[body]


def test_a_percentage_without_room_for_decimals_is_below_1_or_above_99(page: Page) -> None:
    assert run(page, "shared/figures.js", "m.percentTexts(v, 0)", 0.004, 0, 0.9999, 1) == ["<1", "0", ">99", "100"]
    assert run(page, "shared/figures.js", "m.percentTexts(v, 1, 1)", 0.053) == ["5.3"]
    assert run(page, "shared/figures.js", "m.percentTexts(v, 1)", 0.0004, 0.5, 0.9999) == ["<0.1", "50.0", ">99.9"]


@pytest.mark.parametrize(("low", "mark"), [(0.1, ""), (0.4, "\u00a0!")])
def test_an_interval_that_does_not_contain_its_figure_is_marked_and_says_why(page: Page, low: float, mark: str) -> None:
    figure = {"value": 0.3, "low": low, "high": 0.6, "known": True}
    body = "(part => [part.textContent, part.title.includes('does not contain its figure')])"
    seen = run(page, "evaluate/figures.js", f"m.makeMeanParts(v[0], false).map{body}", figure)
    assert seen[1] == [f"[{low:.3f}\u20130.600]{mark}", bool(mark)]


def test_resamples_that_lack_a_finding_are_counted_above_their_column(page: Page) -> None:
    part = {"word": "all", "kind": "group", "name": "all findings", "center": None, "findings": 3, "counted": 3}
    part |= {"films": 40, "fewest": 1}
    body = "m.makePartNotes({ few: 5, resamples: 1000 }, v[0]).map((note) => note.textContent).join()"
    assert "incomplete" not in run(page, "evaluate/board.js", body, part | {"incomplete": 0})
    assert "446 of 1,000 incomplete" in run(page, "evaluate/board.js", body, part | {"incomplete": 446})
