"""A film dropped on the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.ui.reading_room import SLOW, film_of, grey, wait_until_read

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def file() -> list[int]:
    """The bytes of RG1 as a PNG, every second pixel of it."""
    return list(grey(film_of("masses")[::2, ::2]))


def test_a_film_dropped_on_the_page_is_read(visitor: Page, file: list[int]) -> None:
    visitor.evaluate(
        """bytes => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "dropped.png"));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
        }""",
        file,
    )
    wait_until_read(visitor)
    expect(visitor.locator(".film-name")).to_have_text("dropped.png")


def test_a_film_dropped_while_explore_is_open_does_not_open_unseen(visitor: Page, file: list[int]) -> None:
    visitor.get_by_role("tab", name="Explore", exact=True).click()
    visitor.locator(".explore[data-state=shown]").wait_for(timeout=SLOW)
    said = visitor.evaluate(
        """bytes => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(bytes)], "dropped.png"));
            const send = (name) => document.body.dispatchEvent(
                new DragEvent(name, {dataTransfer: transfer, bubbles: true, cancelable: true}));
            return [send("dragover"), document.querySelector(".room").classList.contains("dragging"), send("drop")];
        }""",
        file,
    )
    assert said == [False, False, False]  # both are prevented: the file does not take the place of the page
    visitor.get_by_role("tab", name="Read", exact=True).click()
    visitor.wait_for_timeout(1000)
    expect(visitor.locator(".room")).to_have_attribute("data-state", "empty")
