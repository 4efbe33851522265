"""A film dropped on the page."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page, expect

from tests.ui.held import MOMENT
from tests.ui.reading_room import SLOW, film_of, grey, wait_until_read

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def file() -> str:
    """RG1 as a PNG, every fourth pixel of it, in base64: a list of its bytes takes the browser seconds."""
    return base64.b64encode(grey(film_of("masses")[::4, ::4])).decode("ascii")


def test_a_film_dropped_on_the_page_is_read(reader: Page, file: str) -> None:
    reader.evaluate(
        """text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], "dropped.png"));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
        }""",
        file,
    )
    wait_until_read(reader)
    expect(reader.locator(".film-name")).to_have_text("dropped.png")


def test_a_film_dropped_while_explore_is_open_does_not_open_unseen(visitor: Page, file: str) -> None:
    visitor.get_by_role("tab", name="Explore", exact=True).click()
    visitor.locator(".explore[data-state=shown]").wait_for(timeout=SLOW)
    sent: list[str] = []
    visitor.on("request", lambda request: sent.append(request.url) if "upload" in request.url else None)
    said = visitor.evaluate(
        """text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], "dropped.png"));
            const send = (name) => document.body.dispatchEvent(
                new DragEvent(name, {dataTransfer: transfer, bubbles: true, cancelable: true}));
            return [send("dragover"), document.querySelector(".room").classList.contains("dragging"), send("drop")];
        }""",
        file,
    )
    assert said == [False, False, False]  # both are prevented: the file does not take the place of the page
    visitor.get_by_role("tab", name="Read", exact=True).click()
    visitor.wait_for_timeout(MOMENT)
    assert sent == []
    expect(visitor.locator(".room")).to_have_attribute("data-state", "empty")
