"""The line with the models, above and below: nothing lies over anything, and no model's name is shortened."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
BEFORE_THE_END = """part => {
  const own = part.getBoundingClientRect();
  return own.right <= part.closest(".made-title").getBoundingClientRect().right;
}"""
CLEAR = """() => {
  const box = (part) => part.getBoundingClientRect();
  const tabs = [...document.querySelectorAll("#tabs > .tab-wrapper [role=tab]")].map(box);
  const model = box(document.querySelector("#masthead .model"));
  const use = box(document.querySelector("#masthead .use"));
  return Math.max(...tabs.map(({ right }) => right)) <= model.left && model.right <= use.left && model.bottom <= 48;
}"""


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_models_name_and_device_are_whole_below_the_findings(masses: Page, width: int) -> None:
    page = masses
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator("#read .made-name")).to_have_text("nih-ensemble")
    expect(page.locator("#read .made-device")).to_contain_text("cpu")
    assert all(inside(page, part) for part in (".made-name", ".made-device", ".made-model"))
    assert page.locator("#read .made-name").evaluate(BEFORE_THE_END)


def test_the_model_gives_its_title_in_full_where_it_is_shortened(masses: Page) -> None:
    page = masses
    page.set_viewport_size({"width": 1024, "height": 900})
    title = page.locator("#read .made-model").get_attribute("title") or ""
    assert title == page.locator("#read .made-model").text_content()
    assert title.startswith("nih-ensemble: ") and title.endswith("cpu")


@pytest.mark.parametrize("width", [1440, 1024, 768])
def test_the_masthead_names_both_models_beside_the_tabs(masses: Page, width: int) -> None:
    page = masses
    page.set_viewport_size({"width": width, "height": 900})
    expect(page.locator("#masthead .model")).to_contain_text("simulated: phantom")
    title = page.locator("#masthead .model").get_attribute("title") or ""
    assert "nih-ensemble" in title and "phantom" in title
    assert page.evaluate(CLEAR)
    assert page.locator("#masthead .model").evaluate("part => part.scrollHeight <= part.clientHeight")


def inside(page: Page, part: str) -> bool:
    """Whether a part of Read's line lies within it."""
    found: bool = page.locator(f"#read {part}").evaluate(
        """part => {
          const [own, line] = [part, part.closest(".made-with")].map((each) => each.getBoundingClientRect());
          return own.top >= line.top && own.bottom <= line.bottom && own.right <= line.right;
        }"""
    )
    return found
