"""The map of an answer over the film, and what hides answer and map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.ask_harness import answer, film, hang, line, shows
from tests.ui.viewer_harness import pixels_of, viewer_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        yield page


def test_the_map_lies_over_the_film_in_margins(blank: Page) -> None:
    page = shows(blank)
    expect(page.locator("#ask-heat-canvas")).to_be_visible()
    assert page.locator(".legend").inner_text().split("\n")[0].startswith("fluid around the lung")
    expect(page.locator(".legend-score")).to_have_text("0.71")
    expect(page.locator(".legend-maximum")).to_have_text("0.050 margin")
    expect(page.locator(".legend-cells")).to_have_text("4 x 4 cells")
    alpha = pixels_of(page, "ask-heat-canvas")[..., 3]
    height, width = alpha.shape
    down, across = divmod(int(alpha.argmax()), width)
    assert (down / height, across / width) == pytest.approx((0.625, 0.33), abs=0.15)


def test_a_model_without_maps_answers_and_says_why_there_is_none(blank: Page) -> None:
    no_heat = "tiny has no feature map. Choose another model."
    page = shows(blank, heat=None, no_heat=no_heat)
    expect(page.locator(".answer-verdict")).to_contain_text("possible")
    expect(page.locator(".evidence-text")).to_have_text(f"No map. {no_heat}")
    expect(page.locator(".evidence-show")).to_be_hidden()
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (
            {"spread": answer()["spread"] | {"answer": 60.0}, "verdict": "not flagged"},
            "No map: the text is not flagged.",
        ),
        ({"verdict": "cannot judge"}, "Map hidden: the model cannot answer this question."),
        ({"taken_for": {"finding": "Normal", "similarity": 1.0}}, "Normal is the absence of findings"),
    ],
)
def test_without_evidence_the_map_waits_to_be_asked_for(blank: Page, changes: dict[str, Any], why: str) -> None:
    page = shows(blank, **changes)
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()
    expect(page.locator(".evidence-text")).to_contain_text(why)
    page.get_by_role("button", name="Show the map anyway").click()
    expect(page.locator("#ask-heat-canvas")).to_be_visible()


def test_film_first_hides_answers_and_map(blank: Page) -> None:
    page = shows(blank)
    page.locator(".stage").focus()
    page.keyboard.press("h")
    for gone in (".answer", ".asked", "#ask-heat-canvas", ".legend"):
        expect(page.locator(gone)).to_be_hidden()
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".answer")).to_be_visible()
    expect(page.locator("#ask-heat-canvas")).to_be_visible()


def test_an_opinion_hidden_in_read_is_not_given_away(blank: Page) -> None:
    page = shows(blank)
    page.evaluate("() => openFilms.update({ opinionHidden: true })")
    assert line(page, "Classifier").startswith("hidden")
    assert "0.44" not in page.locator(".answer").inner_text()


def test_another_film_starts_without_answers(blank: Page) -> None:
    page = shows(blank)
    hang(page, film("other.png", seed=1))
    expect(page.locator(".answer")).to_be_hidden()
    expect(page.locator(".asked")).to_be_hidden()
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()
