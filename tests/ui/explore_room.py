"""What a visitor does in the Explore tab, and what can be seen there."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Frame, Page, Request, expect

from tests.ui.held import called
from tests.ui.windows import is_left, listened

SLOW = 30_000.0  # ms: a loaded machine


def open_explore(page: Page) -> None:
    page.get_by_role("tab", name="Explore", exact=True).click()
    wait_until_shown(page)


def wait_until_shown(page: Page, timeout: float = SLOW) -> None:
    """Until the page's state is the address's."""
    page.locator(".explore[data-state=shown]:not(.pending)").wait_for(timeout=timeout)


def state(page: Page) -> dict[str, str]:
    """The words of the address."""
    words = dict(parse_qsl(urlsplit(page.url).fragment.partition("?")[2]))
    return words | {"hide": "1"} if "sealed" in words else words


def add_filter(page: Page, title: str, value: str) -> None:
    """As somebody does who uses the pointer."""
    page.locator(".chip-add").click()
    page.get_by_role("option", name=title, exact=True).click()
    page.get_by_role("listbox", name=title, exact=True).get_by_text(value, exact=True).click()
    wait_until_shown(page)


def open_menu(page: Page, key: str) -> None:
    """Open the menu of a filter that is set."""
    page.locator(f".chip-{key} .chip-open").click()
    page.get_by_role("listbox").wait_for()


def use_clinic(page: Page) -> None:
    """Go to the visitor's own cohort."""
    open_menu(page, "cohort")
    page.get_by_role("option", name="clinic").click()
    wait_until_shown(page)


def hide(page: Page) -> None:
    """Projector mode."""
    page.locator(".hide-switch").click()
    page.locator(".explore[data-hidden=true]:not(.pending)").wait_for(timeout=SLOW)


def remove_filter(page: Page, key: str) -> None:
    page.locator(f".chip-{key} .chip-away").click()
    wait_until_shown(page)


def sentence(page: Page) -> str:
    return page.locator(".sentence").inner_text()


def tiles(page: Page) -> list[str]:
    """The ids of the films on the page, in their order."""
    ids: list[str] = page.locator(".tile").evaluate_all("tiles => tiles.map((tile) => tile.dataset.case)")
    return ids


def next_page(page: Page, number: int, key: str = "j") -> None:
    page.keyboard.press(key)
    expect(page.locator(".page-number")).to_contain_text(f"page {number} of", timeout=SLOW)


class Answers:
    """What the server answers to the scripts of a page, until the window is emptied for another visitor."""

    def __init__(self, page: Page) -> None:
        self.said: list[tuple[str, Any]] = []
        self._page = page
        listened.add(page)
        page.on("requestfinished", self._note)
        page.on("framenavigated", self._went)

    def _went(self, frame: Frame) -> None:
        if is_left(frame.url):
            self._page.remove_listener("requestfinished", self._note)
            self._page.remove_listener("framenavigated", self._went)

    def _note(self, request: Request) -> None:
        name = called(request)
        if not name:
            return
        response = request.response()
        assert response is not None
        self.said.append((name, response.text()))

    @property
    def asked(self) -> list[str]:
        return [name for name, _ in self.said]
