"""A first start shows simulated films at once: nothing was drawn on this machine, and no browser has been here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from explorer.cohorts.layout import CACHE, Folder
from tests.ui.app_server import Server, start, stop
from tests.ui.windows import Kind, go, windows

pytestmark = [pytest.mark.browser, pytest.mark.app]
GOAL_MS, TIMES = 1000, 3  # ms, as in tests/benchmarks/thumbnails.py, and how many times that on a busy machine
DRAWN_HERE = Folder(CACHE / "phantom").thumbnails
ALL_SHOWN = "selector => [...document.querySelectorAll(selector)].every((image) => image.naturalWidth > 0)"


@pytest.fixture(scope="module")
def cold_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = start(tmp_path_factory.mktemp("cold"))
    yield running
    stop(running)


def files() -> set[Path]:
    return set(DRAWN_HERE.iterdir()) if DRAWN_HERE.is_dir() else set()


def wait_until_shown(page: Page, selector: str, count: int) -> None:
    assert page.locator(selector).count() == count
    page.wait_for_function(ALL_SHOWN, arg=selector, timeout=GOAL_MS * TIMES)


def test_samples_and_a_cold_gallery_show_at_once(chromium: Browser, cold_server: Server) -> None:
    before = files()
    with windows(chromium).window(1440, 900, Kind()) as page:
        page.goto(cold_server.url)
        page.locator(".room[data-state=empty]").wait_for()
        wait_until_shown(page, ".sample.simulated img", 3)
        go(page, f"{cold_server.url}/#explore")
        page.locator(".explore[data-state=shown]:not(.pending) .tile").first.wait_for()
        wait_until_shown(page, ".tile img", 24)
    assert files() == before, "drawn, not taken from the pack"
