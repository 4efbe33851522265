"""The bar of an answer: the film among the validation films, its threshold, and a tick for every prompt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.wording import Wording
from tests.ui.ask_harness import answer, shows
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        yield page


def test_the_bar_has_the_film_its_threshold_and_a_tick_for_every_prompt(blank: Page) -> None:
    page = shows(blank)
    left = page.locator(".spread-track").evaluate(
        "track => Object.fromEntries(['cut', 'range'].map((name) =>"
        "[name, track.querySelector('.spread-' + name).style.left]))"
    )
    assert left == {"cut": "62.5%", "range": "70.5%"}
    assert page.locator(".spread-fill").evaluate("fill => fill.style.width") == "83.2%"
    assert page.locator(".spread-tick").evaluate_all("all => all.map((tick) => tick.style.left)") == [
        "70.5%",
        "80%",
        "88%",
    ]
    assert page.locator(".spread-tick.paraphrase").count() == 1
    expect(page.locator(".spread-scale")).to_have_text("Rank among 1,650 test films")
    expect(page.locator(".spread-cut-words")).to_have_text("threshold 62 %")


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize(
    ("unit", "ends", "thresholds"),
    [
        ("percentile", [0.0, 100.0], (0.0, 29.0, 31.0, 79.0, 99.9)),
        ("margin", [-0.05, 0.05], (-0.05, -0.013, 0.0, 0.05)),
    ],
)
def test_words_under_the_bar_never_touch(
    blank: Page, width: int, unit: str, ends: list[float], thresholds: tuple[float, ...]
) -> None:
    blank.set_viewport_size({"width": width, "height": 900})
    for threshold in thresholds:
        scale = {"unit": unit, "ends": ends, "threshold": threshold, "answer": threshold}
        page = shows(blank, spread=answer()["spread"] | scale)
        sides = page.locator(".spread-ends").evaluate(
            "line => [...line.children].filter((each) => getComputedStyle(each).visibility !== 'hidden')"
            ".map((each) => each.getBoundingClientRect()).flatMap(({ left, right }) => [left, right])"
        )
        box = page.locator(".spread-track").bounding_box()
        assert box is not None
        assert sides == sorted(sides) and sides[0] >= box["x"] - 1 and sides[-1] <= box["x"] + box["width"] + 1
    blank.set_viewport_size({"width": 1440, "height": 900})


def test_a_prompt_is_read_by_pointing_at_its_tick(blank: Page, wording: Wording) -> None:
    page = shows(blank)
    box = page.locator(".spread-track").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 20)
    shown = text_with(page.locator(".spread-words"), "80 %")
    assert "fluid around the lung |" in shown
    wording(shown)
    page.mouse.move(box["x"], box["y"] - 200)
    expect(page.locator(".spread-words")).to_contain_text("3 prompts: ")


def test_prompts_are_read_by_keyboard_and_by_screen_readers(blank: Page) -> None:
    page = shows(blank)
    slider = page.get_by_role("slider", name="Prompts by position")
    slider.focus()
    page.keyboard.press("Home")
    words = "70 %, at or above the threshold  effusion | no effusion (paraphrase)"
    expect(slider).to_have_attribute("aria-valuetext", words)
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "2")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "3")
    expect(page.locator(".spread-words")).to_contain_text("88 %")
    page.keyboard.press("Tab")
    expect(page.locator(".spread-words")).to_contain_text("3 prompts: ")


def test_every_prompt_is_in_the_fold(blank: Page) -> None:
    page = shows(blank)
    page.locator(".answer-fold-head", has_text="All wordings").click()
    assert page.locator(".prompt-place").all_inner_texts() == ["88 %", "80 %", "70 %"]
    expect(page.locator(".prompt-words").last).to_contain_text("no effusion (paraphrase)")
