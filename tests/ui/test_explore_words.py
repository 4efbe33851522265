"""What Explore says of a film and of differences, without the app."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.ui.loaded_modules import loaded_modules, run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with loaded_modules(chromium) as page:
        yield page


def test_a_labeled_film_without_a_threshold_is_not_called_unlabeled(page: Page) -> None:
    def words(outcome: str | None, label: str) -> object:
        return run(page, "explore/gallery.js", "m.pairWords(v[0])", {"outcome": outcome, "label": label})

    assert [words(None, label) for label in ("present", "absent", "unknown")] == [
        "labeled present",
        "labeled absent",
        "no label",
    ]
    assert words("miss", "present") == "miss"


def test_of_three_centers_the_gap_says_which_two_and_over_how_many_pairs_p_is_adjusted(page: Page) -> None:
    def title(centers: list[str]) -> object:
        return run(page, "explore/cell_words.js", "m.gapHeading(v[0])", {"between": centers})

    def about(centers: list[str]) -> str:
        return str(run(page, "explore/cell_words.js", "m.gapNote(v[0], 'sensitivity')", {"between": centers}))

    assert title(["A", "B"]) == "B \u2212 A" and title(["A", "B", "C"]) == "Largest gap"
    assert "all 3 pairs of centers" in about(["A", "B", "C"]) and "pairs" not in about(["A", "B"])
    gap = {"value": 0.2, "low": 0.1, "high": 0.3, "p": 0.01, "marked": True, "other_prevalence": False, "known": True}
    cell = "m.makeGapCell({ sensitivity: v[0] }, 'sensitivity', true).textContent"
    assert "C \u2212 A" in str(run(page, "explore/cell_words.js", cell, gap | {"centers": ["A", "C"]}))
